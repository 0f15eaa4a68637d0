// What every page begins with: public, without data. What the page shows is fetched into it with the key that the browser's tab holds.
import { sandboxName } from '../contract/addresses.ts';
import type { ControlRefusal } from '../contract/admin/control-operation.ts';
import { htmlPage, type Markup, type Page } from '../http/html-page.ts';
import { assetAt, contentAt, liveAt, pageAt, topAt } from './addresses.ts';
import { type PagePath, pageIds, pageIn, pages } from './pages.ts';
import { InSandbox, PageLink } from './parts/page.tsx';
import { Brand } from './top.tsx';

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
