// Hostile pages in a real Chromium get nothing and do nothing, and each protection is needed for that. The server runs in this process.
import type { Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { protections, type Target, target } from '../http/pages/unprotected.ts';
import { passwordOf } from '../support/sachet.ts';
import { browser } from './browser.ts';
import { hostilePath } from './global-setup.ts';

/** Where the page is, seen from `http://localhost:{port}`. */
type Origin = 'another site' | 'another port' | 'a rebound name' | 'our own origin';

interface Attack {
  readonly what: string;
  readonly from: Origin;
  /** Without any of these protections it succeeds. */
  readonly needs?: readonly string[];
  /** Only without all of these protections it succeeds. */
  readonly needsOneOf?: readonly string[];
  /** Whether the page got or did anything. */
  readonly succeeds: (page: Page, server: Target) => Promise<boolean>;
}

/** The attacks that succeed on a server without these protections, one after the other. */
async function successful(some: readonly Attack[], ...gone: readonly string[]): Promise<string[]> {
  const server = await target(gone);
  onTestFinished(() => server.close());
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const hostilePort = inject('hostilePort');
  const addresses: Readonly<Record<Origin, string>> = {
    'another site': `http://127.0.0.1:${hostilePort}${hostilePath}`,
    'another port': `http://localhost:${hostilePort}${hostilePath}`,
    'a rebound name': `http://evil.example:${server.port}${hostilePath}`,
    'our own origin': `http://localhost:${server.port}/_console/stage/nothing`,
  };
  const titles: string[] = [];
  for (const { what, from, succeeds } of some) {
    const page = await context.newPage();
    await page.goto(addresses[from]);
    if (await succeeds(page, server)) titles.push(`a page of ${from} ${what}`);
    await page.close();
  }
  return titles;
}

interface Fetch {
  readonly url: string;
  readonly init?: { method?: string; mode?: 'no-cors'; headers?: Record<string, string>; body?: string };
  /** Sent as a Blob without a type. */
  readonly blob?: string;
}

const at = ({ port }: Target, path: string): string => `http://localhost:${port}${path}`;
const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const credentials = (username: string) => JSON.stringify({ username, password: passwordOf('demo') });
const loginPath = '/v2/authentication/token';
const login = { method: 'POST', headers: { 'content-type': 'application/json' }, body: credentials('demo') };

/** The statuses that the page's own fetch can read; undefined for a failure. */
const fetchAll = (page: Page, all: readonly Fetch[]): Promise<(number | undefined)[]> =>
  page.evaluate(
    (wanted) =>
      Promise.all(
        wanted.map(({ url, init, blob }) =>
          fetch(url, { ...init, ...(blob !== undefined && { body: new Blob([blob]) }) }).then(
            ({ status }) => status,
            () => undefined,
          ),
        ),
      ),
    all,
  );
const canRead = async (page: Page, all: readonly Fetch[]): Promise<boolean> =>
  (await fetchAll(page, all)).some((status) => status !== undefined);

const paths = ['/v2/products', '/sandboxes/stage/v2/products', '/_admin/sandboxes', '/_console/_top/stage'];
const everywhere = [...paths, '/_docs/openapi.json', '/health'];

async function tokenOf(server: Target): Promise<string> {
  return (await (await fetch(at(server, loginPath), login)).json()).access_token;
}

/** Each path with and without the key or a token. */
async function everyFetch(server: Target): Promise<Fetch[]> {
  const token = await tokenOf(server);
  return everywhere.flatMap((path) => {
    const url = at(server, path);
    const init = bearer(path.includes('/v2/') ? token : server.adminKey);
    return [{ url }, { url, init }, { url, init: { method: 'POST', ...init } }];
  });
}

/** Appends an element for each URL; whether the browser loaded any. */
const loads = (page: Page, tags: readonly string[], urls: readonly string[]): Promise<boolean> =>
  page.evaluate(
    async (all) => {
      const load = ({ tag, url }: (typeof all)[number]) =>
        new Promise<boolean>((resolve) => {
          const element = document.createElement(tag);
          element.onload = () => resolve(true);
          element.onerror = () => resolve(false);
          if (tag === 'link') Object.assign(element, { rel: 'stylesheet', href: url });
          else Object.assign(element, { [tag === 'object' ? 'data' : 'src']: url });
          document.body.append(element);
        });
      return (await Promise.all(all.map(load))).includes(true);
    },
    tags.flatMap((tag) => urls.map((url) => ({ tag, url }))),
  );

/** Whether any event stream or socket opens. */
const connects = (page: Page, { port }: Target): Promise<boolean> =>
  page.evaluate(async (to) => {
    const opens = (source: EventSource | WebSocket) =>
      new Promise<boolean>((resolve) => {
        source.onopen = () => resolve(true);
        source.onerror = () => resolve(false);
      });
    const sources = ['/_admin/sandboxes/stage/events', '/_console/_live/stage', '/v2/products'].flatMap((path) => [
      new EventSource(`http://localhost:${to}${path}`),
      new WebSocket(`ws://localhost:${to}${path}`),
    ]);
    return (await Promise.all(sources.map(opens))).includes(true);
  }, port);

/** Whether a page of ours shows in a frame; instead of a blocked one there is an error page of the browser. */
const frames: Attack['succeeds'] = async (page, server) => {
  const urls = ['/_console/stage/switches', '/_tracking/1Z', '/_docs'].map((path) => at(server, path));
  await loads(page, ['iframe'], urls.slice(0, 2));
  await loads(page, ['object'], urls.slice(2));
  return page.frames().some((frame) => frame !== page.mainFrame() && urls.includes(frame.url()));
};

/** Whether a page keeps a reference to a window that it opened; a lost one looks closed. */
const keepsWindow: Attack['succeeds'] = async (page, server) => {
  const kept: boolean[] = [];
  for (const path of ['/_console/stage/requests', '/_docs']) {
    const opening = page.context().waitForEvent('page');
    await page.evaluate((url) => void Object.assign(globalThis, { opened: open(url) }), at(server, path));
    const opened = await opening;
    await opened.waitForURL(at(server, path));
    kept.push(await page.evaluate(() => !Reflect.get(globalThis, 'opened').closed));
    await opened.close();
  }
  return kept.includes(true);
};

/** Whether the server looks different afterwards. */
const leavesTraces =
  (act: (page: Page, server: Target) => Promise<unknown>): Attack['succeeds'] =>
  async (page, server) => {
    const before = await server.traces();
    await act(page, server);
    return (await server.traces()) !== before;
  };

const submits = (path: string, enctype: string) =>
  leavesTraces(async (page, server) => {
    const sent = page.waitForResponse(at(server, path));
    await page.evaluate(
      (attributes) => {
        const form = Object.assign(document.createElement('form'), { method: 'POST', ...attributes });
        document.body.append(form);
        form.submit();
      },
      { action: at(server, path), enctype },
    );
    await sent;
  });

/** Whether a fetch with the key or a token has the status 200. */
const succeedsAt =
  (urls: readonly string[], keyOf: (server: Target) => Promise<string> | string, method = 'GET'): Attack['succeeds'] =>
  async (page, server) => {
    const init = { method, ...bearer(await keyOf(server)) };
    const all = urls.map((url) => ({ url, init }));
    return (await fetchAll(page, all)).includes(200);
  };

const adminKey = (server: Target) => server.adminKey;
const consolePaths = ['stage/requests', '_content/stage/requests', '_assets/console.css'];
const rebound = { from: 'a rebound name' } as const;
const [site, port] = [{ from: 'another site' }, { from: 'another port' }] as const;
const noTraces = { needs: ['portCrossSite'] };
const keyOrOrigin = { needsOneOf: ['controlOrigin', 'controlKey'] };

const attacks: readonly Attack[] = [
  {
    ...{ what: 'logs in', ...rebound, needs: ['portHost'] },
    succeeds: async (page) => (await fetchAll(page, [{ url: loginPath, init: login }])).includes(200),
  },
  {
    ...{ what: 'reads service and reference', ...rebound, needs: ['portHost'] },
    succeeds: succeedsAt([...paths.slice(0, 2), '/_docs', '/_docs/openapi.json'], tokenOf),
  },
  {
    ...{ what: 'reads control API and console with the key', ...rebound, needs: ['controlHost'] },
    succeeds: succeedsAt(['/_admin/sandboxes', ...consolePaths.map((path) => `/_console/${path}`)], adminKey),
  },
  {
    ...{ what: 'resets a sandbox with the key', ...rebound, needs: ['controlHost'] },
    succeeds: succeedsAt(['/_admin/sandboxes/stage/reset'], adminKey, 'POST'),
  },
  { what: 'reads', ...site, succeeds: async (page, server) => canRead(page, await everyFetch(server)) },
  { what: 'reads', ...port, succeeds: async (page, server) => canRead(page, await everyFetch(server)) },
  {
    ...{ what: 'leaves traces by requests that it cannot read', ...site, ...noTraces },
    async succeeds(page, server) {
      const opaque: Fetch[] = everywhere.map((path) => ({ url: at(server, path), init: { mode: 'no-cors' } }));
      const all = [...(await everyFetch(server)), ...opaque];
      return leavesTraces(() => fetchAll(page, all))(page, server);
    },
  },
  {
    ...{ what: 'logs in by a Blob', ...site, ...noTraces },
    succeeds: leavesTraces((page, server) => {
      const init = { method: 'POST', mode: 'no-cors' } as const;
      return fetchAll(page, [{ url: at(server, loginPath), init, blob: credentials('demo+seen') }]);
    }),
  },
  {
    ...{ what: 'leaves traces by elements', ...site, ...noTraces },
    succeeds: leavesTraces((page, server) =>
      loads(page, ['img', 'script', 'link', 'iframe', 'object'], [at(server, '/v2/products')]),
    ),
  },
  { what: 'sends the service a form', ...site, ...noTraces, succeeds: submits('/v2/orders', 'text/plain') },
  {
    ...{ what: 'sends the control API a form', ...site, ...keyOrOrigin },
    succeeds: submits('/_admin/sandboxes/stage/reset', 'text/plain'),
  },
  {
    ...{ what: 'sends the console a form', ...site, ...keyOrOrigin },
    succeeds: submits('/_console/_do/stage/sandboxes.reset', 'application/x-www-form-urlencoded'),
  },
  { what: 'opens a stream or a socket', ...site, succeeds: connects },
  { what: 'leaves traces by a socket', ...site, ...noTraces, succeeds: leavesTraces(connects) },
  {
    ...{ what: 'uses our scripts and styles', ...port, needs: ['cross-origin-resource-policy'] },
    async succeeds(page, server) {
      const [docs, console] = [at(server, '/_docs'), at(server, '/_console/_assets')];
      const loaded = [
        await loads(page, ['script'], [`${docs}/start.js`, `${console}/key.js`]),
        await loads(page, ['link'], [`${docs}/page.css`, `${console}/console.css`]),
        await canRead(page, [{ url: `${docs}/page.css`, init: { mode: 'no-cors' } }]),
      ];
      return loaded.includes(true);
    },
  },
  {
    ...{ what: 'runs a document that is no script', from: 'our own origin', needs: ['x-content-type-options'] },
    async succeeds(page, server) {
      const errors: Error[] = [];
      page.on('pageerror', (error) => errors.push(error));
      await loads(page, ['script'], [at(server, '/_docs/openapi.json')]);
      return errors.length > 0;
    },
  },
  { what: 'keeps our window', ...site, needs: ['cross-origin-opener-policy'], succeeds: keepsWindow },
  { what: 'frames our pages', ...port, needs: ['content-security-policy'], succeeds: frames },
];

test('no attack succeeds', async () => {
  expect(await successful(attacks)).toEqual([]);
});

/** Chromium asks before a page of another origin sends a key, and without a key nothing is answered. */
const covered = ['controlOrigin', 'controlKey'];
const withoutNeeds = attacks.filter(({ needs }) => !needs);

test.each(covered)('without %s other protections are enough', async (gone) => {
  expect(await successful(withoutNeeds, gone)).toEqual([]);
});

test.each(protections.filter((name) => !covered.includes(name)))(
  'each attack on %s succeeds without it',
  async (gone) => {
    const own = attacks.filter(({ needs }) => needs?.includes(gone));
    expect(own.length).toBeGreaterThan(0);
    expect(await successful(own, gone)).toHaveLength(own.length);
  },
);

test('forms succeed without key and origin check', async () => {
  const forms = attacks.filter(({ needsOneOf }) => needsOneOf);
  expect(await successful(forms, ...covered)).toHaveLength(forms.length);
});
