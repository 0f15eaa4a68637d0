// The pages of a list whose newest stand first: what they show, and where their links lead.
import { expect } from 'vitest';
import type { ConsoleUnderTest } from './console.ts';

/** The ids of the rows, such as those of `order-…`. */
export const idsIn = (html: string, kind: 'order' | 'fulfillment'): string[] =>
  Array.from(html.matchAll(new RegExp(`<tr id="${kind}-([^"]+)"`, 'g')), ([, id = '']) => id);

/** Where the link with these words leads, within the sandbox `stage`; undefined where there is none. */
export function linkIn(html: string, words: string): string | undefined {
  const [, path] = new RegExp(`<a [^>]*href="stage/([^"]*)"[^>]*>${words}</a>`).exec(html) ?? [];
  return path?.replaceAll('&amp;', '&');
}

/** The html of all pages from this one on, by the links to the older ones; `between` is done after each. */
export async function readOn(
  seen: ConsoleUnderTest,
  from: string,
  between?: () => Promise<unknown>,
): Promise<string[]> {
  const pages: string[] = [];
  for (let at: string | undefined = from; at !== undefined; await between?.()) {
    expect(pages.length).toBeLessThan(20);
    const { html } = await seen.see(at);
    pages.push(html);
    at = linkIn(html, 'Older');
  }
  return pages;
}
