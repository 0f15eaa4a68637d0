// What every page begins with: public, without data. What the page shows is fetched into it with the key that the browser's tab holds.
import { sandboxName } from '../contract/addresses.ts';
import type { Page } from '../http/html-page.ts';
import { contentAt, liveAt, pageAt, topAt } from './addresses.ts';
import { framed, plain, scripts } from './frame.tsx';
import { type PagePath, pageIn, pages } from './pages.ts';
import { KeyDialog } from './parts/action.tsx';
import { Navigation } from './parts/page.tsx';

interface Asked {
  readonly path: string;
  readonly search: string;
}

/** The shell of a sandbox's page; what is none says so. */
export function shell(sandbox: string, page: string, { path, search }: Asked): Page {
  const found = pageIn(page);
  if (!sandboxName.test(sandbox))
    return plain(404, path, 'No such sandbox', <p>“{sandbox}” is no name of a sandbox.</p>);
  if (found)
    return framed({
      path,
      title: `${pages[found.id].title} – ${sandbox}`,
      body: <Body sandbox={sandbox} page={found} search={search} />,
      scripts,
    });
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
      <a class="brand" href={pageAt(sandbox, 'requests')}>
        Sachet
      </a>
    </header>
    <Navigation sandbox={sandbox} page={page.id} />
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
