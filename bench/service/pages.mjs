// Pages of GET /v2/fulfillments: walked by their cursors, as a client does, and checked.
import { bearer, read } from './client.mjs';

export const pageSize = 20;
const firstPath = `/v2/fulfillments?limit=${pageSize}`;

export function pageRequest(token, path = firstPath) {
  return { path, headers: bearer(token) };
}

/**
 * Walks the first pages.
 * @returns `{ path, body }` of each, the body as text
 * @throws where a page is not full, or shows what another one has shown
 */
export async function readPages(ready, token, count) {
  const pages = [];
  const seen = new Set();
  for (let path = firstPath; pages.length < count; ) {
    const { body } = await read(ready, token, path);
    const { fulfillments, next_cursor } = JSON.parse(body);
    for (const { id } of fulfillments) seen.add(id);
    pages.push({ path, body });
    if (fulfillments.length !== pageSize || seen.size !== pages.length * pageSize) {
      throw new Error(`page ${pages.length} of the fulfillments has not ${pageSize} that no page before it had`);
    }
    path = `${firstPath}&cursor=${encodeURIComponent(next_cursor)}`;
  }
  return pages;
}

/** That these pages are answered still, as they were but for the label URLs, which are signed anew. */
export async function checkPages(ready, token, pages) {
  for (const { path, body } of pages) {
    const now = (await read(ready, token, path)).body;
    if (withoutLabels(now) !== withoutLabels(body)) throw new Error(`${path} is not answered as before the load`);
  }
}

export function withoutLabels(body) {
  return JSON.stringify(JSON.parse(body), (key, value) => (key === 'label_url' ? undefined : value));
}
