// The frame of the sandbox's own pages: whole documents that ask for nothing beside their origin. What keeps them from other pages is added
// where they are answered (response.ts).
import { html } from 'hono/html';
import type { ServiceResponse } from './exchange.ts';

export type Markup = ReturnType<typeof html>;
export type Page = ServiceResponse & { readonly body: string };

export interface PageParts {
  readonly status: number;
  readonly title: string;
  /** What the page may load besides images of its own data: directives of a content security policy. */
  readonly policy: readonly string[];
  /** Whether a `<base>` of the page's own origin says what its URLs are relative to. Default: none does. */
  readonly hasBase?: boolean;
  readonly head: Markup;
  readonly body: Markup;
}

/** The empty icon keeps a browser from asking the server for one. */
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
  return { kind: 'page', status, headers: headersFor(policy, hasBase), body: String(document) };
}

const headersFor = (policy: readonly string[], hasBase: boolean) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    ...policy,
    'img-src data:',
    `base-uri ${hasBase ? "'self'" : "'none'"}`,
    "form-action 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

/** An instant for a reader: to the minute. */
export const toTheMinute = (at: string): string => new Date(at).toUTCString().replace(/:\d\d GMT$/, ' UTC');
