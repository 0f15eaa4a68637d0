// Reads a list page by page, with the cursor in the place that the choice of `next_cursor` gives it.
import { expect } from 'vitest';
import type { Choice } from '../../src/contract/assumptions.ts';
import type { Answer, Client } from './sachet.ts';

export type CursorPlace = Choice<'next_cursor'>;

/** The URL in `Link: <…>; rel="next"`, undefined without the header. */
export function linkOf({ headers }: Answer): string | undefined {
  const link = headers.get('link');
  if (link === null) return undefined;
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(link) ?? [];
  expect(url, link).toBeDefined();
  return url;
}

/** The next cursor in each place, undefined or null where there is none. */
export const cursorIn: Readonly<Record<CursorPlace, (answer: Answer) => string | null | undefined>> = {
  body: ({ body }) => body.next_cursor,
  meta: ({ body }) => body.meta.next_cursor,
  header: ({ headers }) => headers.get('x-next-cursor'),
  link_header: (answer) => new URL(linkOf(answer) ?? 'x:').searchParams.get('cursor'),
};

interface Reader {
  readonly place?: CursorPlace;
  readonly order?: string | undefined;
  /** The limit of the n-th page; none where undefined. */
  readonly limit?: (page: number) => number | undefined;
  /** Done between two pages. */
  readonly between?: (page: number) => Promise<void>;
}

/** More than any test has, so that a cursor without an end fails the test. */
const maxPages = 300;

/** The ids of all fulfillments in the order in which the pages bring them. */
export async function readAll(client: Client, reader: Reader = {}): Promise<string[]> {
  const { place = 'body', order, limit = () => undefined, between } = reader;
  const ids: string[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; ; page += 1) {
    expect(page, 'the cursor leads on for ever').toBeLessThan(maxPages);
    const asked = Object.entries({ limit: limit(page), cursor, order_id: order });
    const query = new URLSearchParams(asked.flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])));
    const answer = await client.get(`/v2/fulfillments?${query}`);
    expect(answer.status, answer.text).toBe(200);
    ids.push(...answer.body.fulfillments.map(({ id }: { id: string }) => id));
    cursor = cursorIn[place](answer);
    if (cursor == null) return ids;
    await between?.(page);
  }
}
