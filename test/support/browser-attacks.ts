// What pages of others try in a real Chromium. Each tells whether it got anything, or did anything.
import type { Page } from 'playwright-core';
import type { Place } from './hostile-browser.ts';
import { ask, json } from './page-attacks.ts';
import { passwordOf } from './sachet.ts';
import type { Target } from './unprotected.ts';

export interface BrowserAttack {
  readonly what: string;
  readonly from: Place;
  /** The protections that hold it off together: it succeeds where any of them is gone. */
  readonly heldOffBy: readonly string[];
  /** Those that hold it off each by itself: it succeeds where all of them are gone. */
  readonly heldOffByEach?: readonly string[];
  readonly succeeds: (page: Page, server: Target) => Promise<boolean>;
}

const attack = (
  from: Place,
  heldOffBy: readonly string[],
  what: string,
  succeeds: BrowserAttack['succeeds'],
): BrowserAttack => ({ what, from, heldOffBy, succeeds });

const credentials = (username: string) => JSON.stringify({ username, password: passwordOf(username) });

/** A good token, as a page may have got hold of one. */
async function tokenOf(server: Target): Promise<string> {
  const sent = { method: 'POST', headers: json, body: credentials('demo') };
  return JSON.parse((await ask(server, '/v2/authentication/token', sent)).text).access_token;
}

interface Init {
  readonly method?: string;
  readonly mode?: 'no-cors';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Fetched {
  readonly url: string;
  readonly init?: Init;
  /** Sent as a Blob, whose type a page leaves out. */
  readonly blob?: string;
}

/** What the page's own fetch of each gives: the status, where it may see that, and nothing where it fails. */
const fetched = (page: Page, all: readonly Fetched[]): Promise<(number | undefined)[]> =>
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

const got = (statuses: readonly (number | undefined)[]): boolean => statuses.some((status) => status !== undefined);

/** Whether the browser takes an element's URL for what the element is: those that load fire `load`, the others `error`. */
const loaded = (page: Page, all: readonly { readonly tag: string; readonly url: string }[]): Promise<boolean[]> =>
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
async function submitted(page: Page, action: string, enctype: string): Promise<void> {
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

const urlencoded = 'application/x-www-form-urlencoded';
const at = ({ port }: Target, path: string): string => `http://localhost:${port}${path}`;
const bearer = (key: string): Init => ({ headers: { authorization: `Bearer ${key}` } });

/** Whether what is done leaves anything behind in the server. */
async function leavesTraces(server: Target, done: () => Promise<unknown>): Promise<boolean> {
  const before = await server.traces();
  await done();
  return (await server.traces()) !== before;
}

const everywhere = [
  '/v2/products',
  '/sandboxes/stage/v2/products',
  '/_admin/sandboxes',
  '/_console/_top/stage',
  '/_docs/openapi.json',
  '/health',
];

/** Each address by each way to ask for it, with the key or the token and without. */
async function everyFetch(server: Target): Promise<Fetched[]> {
  const token = await tokenOf(server);
  return everywhere.flatMap((path) => {
    const url = at(server, path);
    const good = bearer(path.includes('/v2/') ? token : server.adminKey);
    return [{ url }, { url, init: good }, { url, init: { method: 'POST', ...good } }];
  });
}

const reads: BrowserAttack['succeeds'] = async (page, server) => got(await fetched(page, await everyFetch(server)));

/** Whether any stream or socket opens. */
const opened = (page: Page, server: Target): Promise<boolean> =>
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
async function framed(page: Page, tag: 'iframe' | 'object', url: string): Promise<boolean> {
  await loaded(page, [{ tag, url }]);
  return page.frames().some((frame) => frame !== page.mainFrame() && frame.url() === url);
}

/** Whether the page keeps hold of a window of ours that it opened: one that it lost is closed, as far as it can see. */
async function keepsHold(page: Page, url: string): Promise<boolean> {
  const opening = page.context().waitForEvent('page');
  await page.evaluate((address) => void Object.assign(globalThis, { taken: open(address) }), url);
  const popup = await opening;
  await popup.waitForURL(url);
  return page.evaluate(() => !Reflect.get(globalThis, 'taken').closed);
}

/** Whether markup in a page has this run as a script: what is none fails as its text is read, not before. */
async function ran(page: Page, url: string): Promise<boolean> {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await loaded(page, [{ tag: 'script', url }]);
  return errors.length > 0;
}

export const browserAttacks: readonly BrowserAttack[] = [
  attack('a rebound name', ['port host'], 'a rebound page logs in', async (page) => {
    const init = { method: 'POST', headers: json, body: credentials('demo') };
    return (await fetched(page, [{ url: '/v2/authentication/token', init }]))[0] === 200;
  }),
  attack(
    'a rebound name',
    ['port host'],
    'a rebound page reads the service and its reference',
    async (page, server) => {
      const init = bearer(await tokenOf(server));
      const urls = ['/v2/products', '/sandboxes/stage/v2/products', '/_docs', '/_docs/openapi.json'];
      return (
        await fetched(
          page,
          urls.map((url) => ({ url, init })),
        )
      ).includes(200);
    },
  ),
  attack(
    'a rebound name',
    ['control host'],
    'a rebound page that knows the key asks the control API',
    async (page, server) => {
      const init = bearer(server.adminKey);
      const statuses = await fetched(page, [
        { url: '/_admin/sandboxes', init },
        { url: '/_admin/sandboxes/stage/reset', init: { ...init, method: 'POST' } },
      ]);
      return statuses.includes(200);
    },
  ),
  attack(
    'a rebound name',
    ['control host'],
    'a rebound page that knows the key reads the console',
    async (page, server) => {
      const urls = ['/_console/stage/requests', '/_console/_content/stage/requests', '/_console/_assets/console.css'];
      return (
        await fetched(
          page,
          urls.map((url) => ({ url, init: bearer(server.adminKey) })),
        )
      ).includes(200);
    },
  ),
  attack('another site', [], 'a page of another site reads', reads),
  attack('another port', [], 'a page of another port reads', reads),
  attack(
    'another site',
    ['port cross-site'],
    'a page of another site leaves traces by what it may not read',
    async (page, server) => {
      const all = await everyFetch(server);
      const unread: Fetched[] = everywhere.map((path) => ({ url: at(server, path), init: { mode: 'no-cors' } }));
      return leavesTraces(server, () => fetched(page, [...all, ...unread]));
    },
  ),
  attack('another site', ['port cross-site'], 'a page of another site logs in by a Blob', (page, server) => {
    const url = at(server, '/v2/authentication/token');
    const sent: Fetched = {
      url,
      init: { method: 'POST', mode: 'no-cors' },
      blob: credentials('demo').replace('demo', 'demo+seen'),
    };
    return leavesTraces(server, () => fetched(page, [sent]));
  }),
  attack(
    'another site',
    ['port cross-site'],
    'a page of another site leaves traces by its elements',
    (page, server) => {
      const url = at(server, '/v2/products');
      const all = ['img', 'script', 'link', 'iframe', 'object'].map((tag) => ({ tag, url }));
      return leavesTraces(server, () => loaded(page, all));
    },
  ),
  attack('another site', ['port cross-site'], 'a page of another site sends the service a form', (page, server) =>
    leavesTraces(server, () => submitted(page, at(server, '/v2/orders'), 'text/plain')),
  ),
  {
    what: 'a page of another site sends the control API a form',
    from: 'another site',
    heldOffBy: [],
    heldOffByEach: ['control origin', 'control key'],
    succeeds: (page, server) =>
      leavesTraces(server, () => submitted(page, at(server, '/_admin/sandboxes/stage/reset'), 'text/plain')),
  },
  {
    what: 'a page of another site sends the console a form',
    from: 'another site',
    heldOffBy: [],
    heldOffByEach: ['control origin', 'control key'],
    succeeds: (page, server) =>
      leavesTraces(server, () => submitted(page, at(server, '/_console/_do/stage/sandboxes.reset'), urlencoded)),
  },
  attack('another site', [], 'a page of another site is told by a stream or a socket', opened),
  attack('another site', ['port cross-site'], 'a socket of a page of another site leaves traces', (page, server) =>
    leavesTraces(server, () => opened(page, server)),
  ),
  attack(
    'another port',
    ['resource policy'],
    'a page of another port takes our scripts and styles for its own',
    async (page, server) => {
      const scripts = ['/_docs/start.js', '/_console/_assets/key.js'].map((path) => ({
        tag: 'script',
        url: at(server, path),
      }));
      const styles = ['/_docs/page.css', '/_console/_assets/console.css'].map((path) => ({
        tag: 'link',
        url: at(server, path),
      }));
      const unread: Fetched = { url: at(server, '/_docs/page.css'), init: { mode: 'no-cors' } };
      return (await loaded(page, [...scripts, ...styles])).includes(true) || got(await fetched(page, [unread]));
    },
  ),
  attack('our own origin', ['nosniff'], 'markup that came into a page of ours runs what is no script', (page, server) =>
    ran(page, at(server, '/_docs/openapi.json')),
  ),
  attack(
    'another site',
    ['opener policy'],
    'a page of another site keeps hold of the console that it opened',
    (page, server) => keepsHold(page, at(server, '/_console/stage/requests')),
  ),
  attack(
    'another site',
    ['opener policy'],
    'a page of another site keeps hold of the reference that it opened',
    (page, server) => keepsHold(page, at(server, '/_docs')),
  ),
  attack('another site', ['frame ancestors'], 'a page of another site frames the console', (page, server) =>
    framed(page, 'iframe', at(server, '/_console/stage/switches')),
  ),
  attack(
    'another port',
    ['frame ancestors'],
    'a page of another port frames the reference as an object',
    (page, server) => framed(page, 'object', at(server, '/_docs')),
  ),
  attack('another port', ['frame ancestors'], 'a page of another port frames the tracking page', (page, server) =>
    framed(page, 'iframe', at(server, '/_tracking/1Z')),
  ),
];
