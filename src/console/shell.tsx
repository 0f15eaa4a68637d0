// What every page begins with: public, without data. What the page shows is fetched into it with the key that the browser's tab holds.

import { sandboxName } from '../contract/addresses.ts';
import type { ControlRefusal } from '../contract/control/control-operation.ts';
import { nonDefaultChoices } from '../contract/resolved-assumptions.ts';
import { isAdmin } from '../http/guards.ts';
import { htmlPage, type Markup, type Page } from '../http/markup.ts';
import type { ServiceResponse } from '../http/response.ts';
import { type Counts, isSpent } from '../sandbox/overrides.ts';
import { assetAt, contentAt, liveAt, type PagePath, pageAt, pageIds, pageIn, pages, topAt } from './pages.ts';
import { fragment, InSandbox, PageLink } from './parts/page.tsx';
import { ClockNow } from './parts/time.tsx';
import type { Visit } from './visit.ts';

const policy = ["script-src 'self'", "style-src 'self'", "connect-src 'self'"];

/** No eval, no history of its own, no style of its own; what a reader has opened stays open when a page is looked at again. */
const settings = {
  history: false,
  includeIndicatorCSS: false,
  // A switch may let an answer take its time.
  defaultTimeout: 0,
  morphIgnore: ['data-htmx-powered', 'open'],
};

/** The key's script stands first, htmx last: those before it are there when it begins. */
const scripts = (
  <>
    <meta name="htmx-config" content={JSON.stringify(settings)} />
    <script src={assetAt('key.js')} type="module" />
    <script src={assetAt('live.js')} type="module" />
    <script src={assetAt('page.js')} type="module" />
    <script src={assetAt('htmx.js')} defer />
  </>
);

interface Framed {
  readonly status?: number;
  /** The path that was asked for: it says how deep the page stands below the console's own. */
  readonly path: string;
  readonly title: string;
  readonly body: Markup;
  readonly scripts?: Markup;
}

/** The document around every page: what it loads, and what its URLs are relative to. */
function framed({ status = 200, path, title, body, scripts = <></> }: Framed): Page {
  // Empty, the console's own, the sandbox: what comes behind these is below.
  const below = path.split('/').length - 3;
  const head = (
    <>
      <base href={below > 0 ? '../'.repeat(below) : './'} />
      <meta name="color-scheme" content="light dark" />
      <link rel="stylesheet" href={assetAt('pico.css')} />
      <link rel="stylesheet" href={assetAt('console.css')} />
      {scripts}
    </>
  );
  return htmlPage({ status, title: `${title} – Sachet`, policy, hasBase: true, head, body });
}

/** A page that has nothing to fetch: what there is to say. */
function plain(status: number, path: string, heading: string, words: Markup): Page {
  const body = (
    <main id="content" class="plain">
      <h1>{heading}</h1>
      {words}
    </main>
  );
  return framed({ status, path, title: heading, body });
}

export const refusedPage = ({ status, message }: ControlRefusal, path: string): Page =>
  plain(status, path, 'Not here', <p>{message}</p>);

/** The shell of a sandbox's page, or a page that says that there is no such sandbox or page. */
export function shell(
  sandbox: string,
  page: string,
  { path, search }: { readonly path: string; readonly search: string },
): Page {
  const found = pageIn(page);
  if (!sandboxName.test(sandbox))
    return plain(404, path, 'No such sandbox', <p>“{sandbox}” is no name of a sandbox.</p>);
  const body = found && (
    <InSandbox name={sandbox}>
      <Body sandbox={sandbox} page={found} search={search} />
    </InSandbox>
  );
  if (body) return framed({ path, title: `${pages[found.id].title} – ${sandbox}`, body, scripts });
  const words = (
    <p>
      The console has no page “{page}”. <a href={pageAt(sandbox, 'requests')}>Live requests of {sandbox}</a>
    </p>
  );
  return plain(404, path, 'No such page', words);
}

interface Shown {
  readonly sandbox: string;
  readonly page: PagePath;
  readonly search: string;
}

const Body = ({ sandbox, page, search }: Shown) => (
  <>
    <button type="button" class="skip" data-skip>
      Skip to the content
    </button>
    <header id="top" hx-get={topAt(sandbox)} hx-trigger="state from:body throttle:1s" hx-swap="innerMorph">
      <Brand />
    </header>
    <nav id="pages" aria-label="Pages">
      <ul>
        {pageIds.map((id) => (
          <li>
            <PageLink to={id} aria-current={id === page.id ? 'page' : undefined}>
              {pages[id].title}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
    <Content sandbox={sandbox} page={page} search={search} />
    <div class="notices">
      <p id="away" class="refused" role="alert" hidden>
        The server does not answer. Is it still running? This page goes on when it is back.
      </p>
      <div id="notice" role="status" aria-live="polite" />
    </div>
    <KeyDialog sandbox={sandbox} />
    <dialog id="drawer" aria-label="One request">
      <button type="button" class="close secondary outline" data-close aria-label="Close">
        ✕
      </button>
      <div id="drawer-content" />
    </dialog>
  </>
);

/** Looked at once the page is heard (browser/live.js), and again when something that it follows happens: of several looks the last counts. */
const Content = ({ sandbox, page: { id, one }, search }: Shown) => (
  <main
    id="content"
    tabindex={-1}
    aria-busy="true"
    data-sandbox={sandbox}
    data-live={liveAt(sandbox)}
    data-rows={id === 'requests' && one === undefined ? '' : undefined}
    data-follows={pages[id].follows.join(' ')}
    hx-get={contentAt(sandbox, id, one) + search}
    hx-trigger="look from:body, changed from:body throttle:400ms"
    hx-swap="innerMorph"
    hx-sync="queue last"
    hx-include="#filter"
  >
    <h1>{pages[id].title}</h1>
    <noscript>The console needs JavaScript, of its own origin alone.</noscript>
  </main>
);

/** Asks for the key where the tab has none, or one that is not good. */
const KeyDialog = ({ sandbox }: { readonly sandbox: string }) => (
  <dialog id="key" aria-labelledby="key-title">
    <form method="dialog" id="key-form">
      <h2 id="key-title">The key, please</h2>
      <p id="key-words">
        The console shows what the control API shows, so it takes the same key: the admin key that the server printed or
        was started with, or the own key of {sandbox}. It stays in this tab.
      </p>
      <label>
        Key
        <input id="key-input" type="password" autocomplete="off" required />
      </label>
      <button type="submit">Open the console</button>
    </form>
  </dialog>
);

/** Sandboxes in the list at most: those last used. */
const maxListed = 200;

/** The head of every page: which sandbox, what time it is there, and what is bent. */
export async function top(visit: Visit): Promise<ServiceResponse> {
  const { sandbox } = visit;
  const clock = await visit.control('clock.get');
  return fragment(
    sandbox.name,
    <>
      <Brand />
      <Switcher names={await namesFor(visit)} current={sandbox.name} />
      <PageLink class="chip" to="clock" id="top-clock">
        <ClockNow clock={clock} />
        <small>UTC, {clock.frozen ? 'frozen' : 'running'}</small>
      </PageLink>
      <Bends bent={await bentIn(visit, Date.parse(clock.now))} />
    </>,
  );
}

/** Whoever has but the key of one sandbox is told of no other. */
async function namesFor({ deps, sandbox, request }: Visit): Promise<string[]> {
  if (!isAdmin(deps, request)) return [sandbox.name];
  const all = (await deps.sandboxes.list()).toSorted((one, other) => other.usedAt - one.usedAt).slice(0, maxListed);
  return [...new Set([sandbox.name, ...all.map(({ name }) => name)])].sort();
}

const Brand = () => (
  <PageLink class="brand" to="requests">
    Sachet
  </PageLink>
);

const Switcher = ({ names, current }: { readonly names: readonly string[]; readonly current: string }) => (
  <label class="switcher">
    <span class="unseen">Sandbox</span>
    <select id="sandbox" data-switch>
      {names.map((name) => (
        <option value={name} selected={name === current}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

/** What is in force besides the plain service. */
async function bentIn(visit: Visit, now: number): Promise<string[]> {
  // What a scenario has set is told by its name.
  const isOn = (shown: (Counts & { readonly scenario?: string | undefined }) | null): boolean =>
    shown !== null && shown.scenario === undefined && !isSpent(shown, now);
  const switches = Object.entries(await visit.control('switches.get')).filter(([, shown]) => isOn(shown));
  const faults = (await visit.control('faults.list')).faults.filter(isOn);
  const { scenarios } = await visit.control('scenarios.list');
  const chosen = Object.entries(nonDefaultChoices(await visit.control('assumptions.get')));
  const applied = scenarios.filter(({ applied_at }) => applied_at !== null);
  return [
    ...switches.map(([name]) => name),
    ...faults.map(({ id }) => `fault ${id}`),
    ...applied.map(({ name }) => `scenario ${name}`),
    ...chosen.map(([id, choice]) => `${id}=${choice}`),
  ];
}

const Bends = ({ bent }: { readonly bent: readonly string[] }) => (
  <PageLink class={bent.length > 0 ? 'chip bent' : 'chip'} to="switches" id="top-bends" title={bent.join(', ')}>
    {bent.length === 0 ? 'nothing bent' : bent.length === 1 ? bent[0] : `${bent.length} bends on`}
  </PageLink>
);
