// The console as a reader sees it, through fetch: a page's content as its text, and a form that is sent.
import type { TestSachet } from './sachet.ts';

export interface Seen {
  readonly status: number;
  readonly html: string;
  /** As `textOf` gives it. */
  readonly text: string;
  readonly headers: Headers;
}

export interface ConsoleUnderTest {
  /** The content of a page, such as `orders/1b2c` or `requests?q=ORD`. */
  see(page: string): Promise<Seen>;
  /** Sends what a form holds, by the names of its fields; `names` are those in the operation's path. */
  act(operation: string, fields?: Record<string, string>, names?: Record<string, string>): Promise<Seen>;
  /** Presses the button that sends a sample order. */
  order(): Promise<Seen>;
  /** Any path below the console's, as it is. */
  get(path: string, headers?: Record<string, string>): Promise<Seen>;
}

/** @param key none for a reader without one */
export function consoleOf(
  sachet: TestSachet,
  sandbox = 'stage',
  key: string | undefined = sachet.adminKey,
): ConsoleUnderTest {
  const authorization: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
  async function call(method: string, path: string, raw?: string, headers: Record<string, string> = {}): Promise<Seen> {
    const type = raw === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = { headers: { ...authorization, ...type, ...headers }, ...(raw === undefined ? {} : { raw }) };
    const { status, text: html, headers: got } = await sachet.call(method, `/_console/${path}`, sent);
    return { status, html, text: textOf(html), headers: got };
  }
  return {
    see: (page) => call('GET', `_content/${sandbox}/${page}`),
    act: (operation, fields = {}, names = {}) =>
      call('POST', `_do/${sandbox}/${operation}?${new URLSearchParams(names)}`, String(new URLSearchParams(fields))),
    order: () => call('POST', `_order/${sandbox}`),
    get: (path, headers) => call('GET', path, undefined, headers),
  };
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** Without tags, entities resolved, one space between words. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
