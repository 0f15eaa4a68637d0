// The document around every page of the console: what it loads, and what its URLs are relative to.

import type { ControlRefusal } from '../contract/admin/control-operation.ts';
import { htmlPage, type Markup, type Page } from '../http/html-page.ts';
import { assetAt } from './addresses.ts';

const policy = ["script-src 'self'", "style-src 'self'", "connect-src 'self'"];

/** No eval, no history of its own, no style of its own; what a reader has opened stays open when a page is looked at again. */
const settings = {
  history: false,
  includeIndicatorCSS: false,
  // A switch may let an answer take its time.
  defaultTimeout: 0,
  morphIgnore: ['data-htmx-powered', 'open'],
};

interface Framed {
  readonly status?: number;
  /** The path that was asked for: it says how deep the page stands below the console's own. */
  readonly path: string;
  readonly title: string;
  readonly body: Markup;
  readonly scripts?: Markup;
}

/** The key's script stands first, htmx last: those before it are there when it begins. */
export const scripts = (
  <>
    <meta name="htmx-config" content={JSON.stringify(settings)} />
    <script src={assetAt('key.js')} type="module" />
    <script src={assetAt('live.js')} type="module" />
    <script src={assetAt('page.js')} type="module" />
    <script src={assetAt('htmx.js')} defer />
  </>
);

export function framed({ status = 200, path, title, body, scripts = <></> }: Framed): Page {
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
export const plain = (status: number, path: string, heading: string, words: Markup): Page =>
  framed({
    status,
    path,
    title: heading,
    body: (
      <main id="content" class="plain">
        <h1>{heading}</h1>
        {words}
      </main>
    ),
  });

export const refusedPage = ({ status, message }: ControlRefusal, path: string): Page =>
  plain(status, path, 'Not here', <p>{message}</p>);
