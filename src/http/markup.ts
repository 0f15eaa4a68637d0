// Web pages of the sandbox: their frame, scripts and styles; and text in XML.
import { html, raw } from 'hono/html';
import { type Hashes, hex } from '../domain/hashes.ts';
import type { ResponseKind, ServiceResponse } from './response.ts';

export type Markup = ReturnType<typeof html>;
export type Page = ServiceResponse & { readonly body: string };

export interface PageParts {
  readonly status: number;
  readonly title: string;
  /** Directives of the content security policy: what the page may load besides images in `data:` URLs. */
  readonly policy: readonly string[];
  /** Whether the page has a `<base>`. Default: false. */
  readonly hasBase?: boolean;
  readonly head: Markup;
  readonly body: Markup;
}

/** A sachet: a sealed pouch with zigzag edges, and a capsule in it. */
const pouch =
  'M5 4.2l1.75-1.4L8.5 4.2l1.75-1.4L12 4.2l1.75-1.4 1.75 1.4 1.75-1.4L19 4.2v15.6l-1.75 1.4-1.75-1.4-1.75 1.4' +
  'L12 19.8l-1.75 1.4-1.75-1.4-1.75 1.4L5 19.8z';
const seal = 'M5 6.8v1.1h14V6.8z';
const capsule = 'M8.8 14.6l3.6-3.6a2 2 0 0 1 2.8 2.8l-3.6 3.6a2 2 0 0 1-2.8-2.8z';
const svg = (attributes: string) =>
  `<svg ${attributes} viewBox="0 0 24 24"><path fill-rule="evenodd" d="${pouch}${seal}${capsule}"/></svg>`;

/** The mark of Sachet, in the color of the text around it. */
export const mark = raw(svg('class="mark" fill="currentColor" aria-hidden="true"'));
const icon = `data:image/svg+xml,${encodeURIComponent(svg('xmlns="http://www.w3.org/2000/svg" fill="#4f46e5"'))}`;

/** An HTML document that loads nothing from other origins. */
export function htmlPage({ status, title, policy, hasBase = false, head, body }: PageParts): Page {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${icon}">
${head}
</head>
<body>
${body}
</body>
</html>
`;
  const directives = [
    "default-src 'none'",
    ...policy,
    'img-src data:',
    `base-uri ${hasBase ? "'self'" : "'none'"}`,
    "form-action 'none'",
  ];
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': directives.join('; '),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
  return { kind: 'page', status, headers, body: String(document) };
}

/** @example formatTime('2026-11-25T22:31:05.000Z'); // 'Nov 25, 2026, 22:31:05 UTC' */
export function formatTime(at: string): string {
  const [, day, month, year, time] = new Date(at).toUTCString().split(/,? /);
  return `${month} ${Number(day)}, ${year}, ${time} UTC`;
}

/** A readable time with the ISO 8601 time on hover. @param at ISO 8601 */
export const timeElement = (at: string, text = formatTime(at)): Markup =>
  html`<time datetime="${at}" title="${at}">${text}</time>`;

/** The source map is not served, so browsers should not request it. */
const sourceMap = /(?:\/\/|\/\*)# sourceMappingURL=\S+\s*$/;

/** Serves scripts and styles by file name; `load` runs with the first request. Undefined for an unknown name. */
export function assetsOf(
  kind: ResponseKind,
  load: () => Promise<Readonly<Record<string, string | (() => Promise<string>)>>>,
) {
  const read = async (hashes: Hashes, name: string) => {
    const texts = await load();
    if (!Object.hasOwn(texts, name)) return undefined;
    const found = texts[name] ?? '';
    const text = (typeof found === 'string' ? found : await found()).replace(sourceMap, '');
    return { text, etag: `"${hex(hashes.sha256(text)).slice(0, 32)}"` };
  };
  // Promises, so that concurrent first requests read an asset once. A failed read is tried again.
  const known = new Map<string, ReturnType<typeof read>>();
  return async (hashes: Hashes, name: string, request: Request): Promise<ServiceResponse | undefined> => {
    const loading = known.get(name) ?? read(hashes, name);
    known.set(name, loading);
    let asset: Awaited<typeof loading>;
    try {
      asset = await loading;
    } finally {
      if (!asset) known.delete(name);
    }
    if (!asset) return undefined;
    const headers = {
      'content-type': `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      etag: asset.etag,
      // Browsers revalidate each time: another version of Sachet may run at the same address.
      'cache-control': 'no-cache',
    };
    const isKnown = request.headers.get('if-none-match')?.includes(asset.etag);
    return { kind, status: isKnown ? 304 : 200, headers, body: isKnown ? null : asset.text };
  };
}

/** Characters that XML 1.0 cannot express, and line breaks and tabs, which an attribute does not keep. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const unwritable = /[\0-\x1f\ufffe\uffff]|\p{Surrogate}/gu;
const escapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A text on one line for an XML element or attribute. Characters that XML cannot express become question marks. */
export const xmlText = (text: string): string =>
  text.replaceAll(unwritable, '?').replaceAll(/[<>&"']/g, (character) => escapes[character] ?? character);

/** A text for an XML element, with its line breaks and tabs. */
export const xmlLines = (text: string): string =>
  text
    .split(/(\r?\n|\t)/)
    .map((part, at) => (at % 2 === 0 ? xmlText(part) : part.replace('\r', '')))
    .join('');
