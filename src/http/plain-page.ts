// Pages for people without the console: one column, a card, no scripts. The tracking page and the page at the base URL.
import { html, raw } from 'hono/html';
import { htmlPage, type Markup, type Page } from './markup.ts';
import plainStyle from './plain-page.css?raw';
import tokens from './style/tokens.css?raw';

const style = tokens + plainStyle;

/** The browser accepts only this style, by its SHA-256. */
const policy = ["style-src 'sha256-rtvRJXgQMoK0yIgcHkbMB1N8nhVHFS9SvVxVV8BJnV4='"];

export interface PlainPage {
  readonly status: number;
  readonly title: string;
  readonly heading: string;
  /** Above the heading. */
  readonly brand?: string;
  readonly main: Markup;
  readonly footer: Markup;
}

export function plainPage({ status, title, heading, brand, main, footer }: PlainPage): Page {
  const head = html`<style>${raw(style)}</style>`;
  const body = html`<main aria-labelledby="heading">
${brand === undefined ? '' : html`<p class="brand">${brand}</p>\n`}<h1 id="heading">${heading}</h1>
${main}
</main>
<footer>${footer}</footer>`;
  return htmlPage({ status, title, policy, head, body });
}

function messagePage(status: number, heading: string, main: Markup): Page {
  const footer = html`<p>This is a page of Sachet, a sandbox of the Order and Fulfillment Service.</p>`;
  return plainPage({ status, title: heading, heading, main, footer });
}

/** A page about a name or a number that does not exist. */
export const notFoundPage = (heading: string, words: string, value: string): Page =>
  messagePage(404, heading, html`<p>${words}</p>\n<p class="number">${value}</p>`);

export const noSuchSandboxPage = (name: string): Page =>
  notFoundPage('Sandbox not found', 'No sandbox has this name:', name);

export const failedPage = (words: string): Page => messagePage(500, 'Something went wrong', html`<p>${words}</p>`);
