// Markup: the frame of the sandbox's HTML pages, and text in XML.
import { html } from 'hono/html';
import type { ServiceResponse } from './response.ts';

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

/** An HTML document that loads nothing from other origins. The empty icon keeps browsers from requesting one. */
export function htmlPage({ status, title, policy, hasBase = false, head, body }: PageParts): Page {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
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

/** An ISO 8601 time for readers, to the minute. */
export const toTheMinute = (at: string): string => new Date(at).toUTCString().replace(/:\d\d GMT$/, ' UTC');

/** Characters that XML 1.0 cannot express, and line breaks and tabs, which an attribute does not keep. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are to be found
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
