// The frame of every page: public, without data. What the page shows is fetched into it with the key that the browser's tab holds.

import { sandboxName } from '../contract/addresses.ts';
import type { ControlRefusal } from '../contract/admin/refusals.ts';
import { htmlPage, type Markup, type Page } from '../http/html-page.ts';
import { assetAt, contentAt, liveAt, pageAt, topAt } from './addresses.ts';
import { type PagePath, pageIn, pages } from './pages.ts';
import { Navigation } from './parts/navigation.tsx';

const policy = ["script-src 'self'", "style-src 'self'", "connect-src 'self'"];

/** No eval, no history of its own, no style of its own; what a reader has opened stays open when a page is looked at again. */
const settings = {
  history: false,
  includeIndicatorCSS: false,
  defaultTimeout: 30_000,
  morphIgnore: ['data-htmx-powered', 'open'],
};

interface Asked {
  readonly path: string;
  readonly search: string;
}

/** The shell of a page; a path that is none says so. */
export function shell(sandbox: string, path: string, asked: Asked): Page {
  const page = pageIn(path);
  if (!sandboxName.test(sandbox))
    return plain(404, asked, 'No such sandbox', <p>“{sandbox}” is no name of a sandbox.</p>);
  if (!page)
    return plain(
      404,
      asked,
      'No such page',
      <p>
        The console has no page “{path}”. <a href={pageAt(sandbox, 'requests')}>Live requests of {sandbox}</a>
      </p>,
    );
  const query = asked.search;
  const body = (
    <>
      <button type="button" class="skip" data-skip>
        Skip to the content
      </button>
      <header id="top" hx-get={topAt(sandbox)} hx-trigger="load, state from:body" hx-swap="innerMorph">
        <a class="brand" href={pageAt(sandbox, 'requests')}>
          Sachet
        </a>
      </header>
      <Navigation sandbox={sandbox} page={page.id} />
      <Content sandbox={sandbox} page={page} path={path} query={query} />
      <div id="notice" role="status" aria-live="polite" />
      <KeyDialog sandbox={sandbox} />
      <dialog id="drawer" aria-label="One request">
        <button type="button" class="close secondary outline" data-close aria-label="Close">
          ✕
        </button>
        <div id="drawer-content" />
      </dialog>
    </>
  );
  return framed(200, asked, `${pages[page.id].title} – ${sandbox}`, body);
}

interface Shown {
  readonly sandbox: string;
  readonly page: PagePath;
  readonly path: string;
  readonly query: string;
}

const Content = ({ sandbox, page, path, query }: Shown) => (
  <main
    id="content"
    tabindex={-1}
    aria-busy="true"
    data-sandbox={sandbox}
    data-live={liveAt(sandbox)}
    data-follows={pages[page.id].follows.join(' ')}
    hx-get={contentAt(sandbox, path) + query}
    hx-trigger="load, changed from:body throttle:400ms"
    hx-swap="innerMorph"
    hx-include="#filter"
  >
    <h1>{pages[page.id].title}</h1>
    <noscript>The console needs JavaScript, of its own origin alone.</noscript>
  </main>
);

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

/** A page without data to fetch. */
const plain = (status: number, asked: Asked, heading: string, words: Markup): Page =>
  framed(
    status,
    asked,
    heading,
    <main id="content" class="plain">
      <h1>{heading}</h1>
      {words}
    </main>,
  );

export const refusedShell = ({ status, message }: ControlRefusal): Page =>
  htmlPage({
    status,
    title: 'Not here',
    policy,
    head: <></>,
    body: (
      <main>
        <h1>Not here</h1>
        <p>{message}</p>
      </main>
    ),
  });

/** @param asked says how deep the page stands below the console's own path */
function framed(status: number, { path }: Asked, title: string, body: Markup): Page {
  const below = path.split('/').length - path.split('/').indexOf('_console') - 2;
  const head = (
    <>
      <base href={below > 0 ? '../'.repeat(below) : './'} />
      <meta name="htmx-config" content={JSON.stringify(settings)} />
      <meta name="color-scheme" content="light dark" />
      <link rel="stylesheet" href={assetAt('pico.css')} />
      <link rel="stylesheet" href={assetAt('console.css')} />
      <script src={assetAt('key.js')} type="module" />
      <script src={assetAt('live.js')} type="module" />
      <script src={assetAt('page.js')} type="module" />
      <script src={assetAt('htmx.js')} defer />
    </>
  );
  return htmlPage({ status, title: `${title} – Sachet`, policy, hasBase: true, head, body });
}
