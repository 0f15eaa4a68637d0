// Parts of pages as answers: HTML that the shell puts in its place.

import type { ServiceResponse } from '../http/exchange.ts';
import type { Markup } from '../http/html-page.ts';

interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** They hold a sandbox's data, so nothing keeps them. */
export const fragmentHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
};

export async function fragment(markup: Markup, { status = 200, headers = {} }: Given = {}): Promise<ServiceResponse> {
  return { kind: 'page', status, headers: { ...fragmentHeaders, ...headers }, body: String(await markup) };
}
