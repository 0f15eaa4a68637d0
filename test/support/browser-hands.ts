// What a page can have its browser do: fetch, load, send a form, open, frame, run. Each tells what came of it.
import type { Page } from 'playwright-core';
import type { Target } from './unprotected.ts';

interface Init {
  readonly method?: string;
  readonly mode?: 'no-cors';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Fetched {
  readonly url: string;
  readonly init?: Init;
  /** Sent as a Blob, whose type a page leaves out. */
  readonly blob?: string;
}

/** What the page's own fetch of each gives: the status, where it may see that, and nothing where it fails. */
export const fetched = (page: Page, all: readonly Fetched[]): Promise<(number | undefined)[]> =>
  page.evaluate(
    (wanted) =>
      Promise.all(
        wanted.map(({ url, init, blob }) =>
          fetch(url, { ...init, ...(blob === undefined ? {} : { body: new Blob([blob]) }) }).then(
            ({ status }) => status,
            () => undefined,
          ),
        ),
      ),
    all,
  );

export const got = (statuses: readonly (number | undefined)[]): boolean =>
  statuses.some((status) => status !== undefined);

/** Whether the browser takes an element's URL for what the element is: those that load fire `load`, the others `error`. */
export const loaded = (
  page: Page,
  all: readonly { readonly tag: string; readonly url: string }[],
): Promise<boolean[]> =>
  page.evaluate(
    (wanted) =>
      Promise.all(
        wanted.map(
          ({ tag, url }) =>
            new Promise<boolean>((resolve) => {
              const element = document.createElement(tag);
              element.onload = () => resolve(true);
              element.onerror = () => resolve(false);
              if (tag === 'link') Object.assign(element, { rel: 'stylesheet', href: url });
              else Object.assign(element, { [tag === 'object' ? 'data' : 'src']: url });
              document.body.append(element);
            }),
        ),
      ),
    all,
  );

/** Has a form sent, in place of the page. */
export async function submitted(page: Page, action: string, enctype: string): Promise<void> {
  const sent = page.waitForResponse(action);
  await page.evaluate(
    (attributes) => {
      const form = Object.assign(document.createElement('form'), { method: 'POST', ...attributes });
      document.body.append(form);
      form.submit();
    },
    { action, enctype },
  );
  await sent;
}

export const at = ({ port }: Target, path: string): string => `http://localhost:${port}${path}`;

/** Whether any stream or socket opens. */
export const opened = (page: Page, server: Target): Promise<boolean> =>
  page.evaluate(async (port) => {
    const opens = (source: EventSource | WebSocket) =>
      new Promise<boolean>((resolve) => {
        source.onopen = () => resolve(true);
        source.onerror = () => resolve(false);
      });
    const streams = ['/_admin/sandboxes/stage/events', '/_console/_live/stage', '/v2/products'].flatMap((path) => [
      new EventSource(`http://localhost:${port}${path}`),
      new WebSocket(`ws://localhost:${port}${path}`),
    ]);
    return (await Promise.all(streams.map(opens))).includes(true);
  }, server.port);

/** Whether a page of ours shows within the page: one that is kept out leaves the browser's own page of an error there. */
export async function framed(page: Page, tag: 'iframe' | 'object', url: string): Promise<boolean> {
  await loaded(page, [{ tag, url }]);
  return page.frames().some((frame) => frame !== page.mainFrame() && frame.url() === url);
}

/** Whether the page keeps hold of a window of ours that it opened: one that it lost is closed, as far as it can see. */
export async function keepsHold(page: Page, url: string): Promise<boolean> {
  const opening = page.context().waitForEvent('page');
  await page.evaluate((address) => void Object.assign(globalThis, { taken: open(address) }), url);
  const popup = await opening;
  await popup.waitForURL(url);
  return page.evaluate(() => !Reflect.get(globalThis, 'taken').closed);
}

/** Whether markup in a page has this run as a script: what is none fails as its text is read, not before. */
export async function ran(page: Page, url: string): Promise<boolean> {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await loaded(page, [{ tag: 'script', url }]);
  return errors.length > 0;
}
