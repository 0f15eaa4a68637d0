// Parts of pages as answers: HTML that the shell puts in its place.
import type { Markup } from '../http/html-page.ts';
import type { Rendered } from '../http/rendered.ts';

interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** They hold a sandbox's data, so nothing keeps them. */
export const fragmentHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
};

export async function fragment(markup: Markup, { status = 200, headers = {} }: Given = {}): Promise<Rendered> {
  return { kind: 'page', status, headers: { ...fragmentHeaders, ...headers }, body: String(await markup) };
}
