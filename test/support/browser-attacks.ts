// What pages of others try in a real Chromium. Each tells whether it got anything, or did anything.
import type { Page } from 'playwright-core';
import { at, type Fetched, fetched, framed, got, keepsHold, loaded, opened, ran, submitted } from './browser-hands.ts';
import { bearer } from './forbidden.ts';
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

const urlencoded = 'application/x-www-form-urlencoded';
const withKey = (key: string) => ({ headers: bearer(key) });

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
    const good = withKey(path.includes('/v2/') ? token : server.adminKey);
    return [{ url }, { url, init: good }, { url, init: { method: 'POST', ...good } }];
  });
}

const reads: BrowserAttack['succeeds'] = async (page, server) => got(await fetched(page, await everyFetch(server)));

export const browserAttacks: readonly BrowserAttack[] = [
  attack('a rebound name', ['portHost'], 'a rebound page logs in', async (page) => {
    const init = { method: 'POST', headers: json, body: credentials('demo') };
    return (await fetched(page, [{ url: '/v2/authentication/token', init }]))[0] === 200;
  }),
  attack('a rebound name', ['portHost'], 'a rebound page reads the service and its reference', async (page, server) => {
    const init = withKey(await tokenOf(server));
    const urls = ['/v2/products', '/sandboxes/stage/v2/products', '/_docs', '/_docs/openapi.json'];
    return (
      await fetched(
        page,
        urls.map((url) => ({ url, init })),
      )
    ).includes(200);
  }),
  attack(
    'a rebound name',
    ['controlHost'],
    'a rebound page that knows the key asks the control API',
    async (page, server) => {
      const init = withKey(server.adminKey);
      const statuses = await fetched(page, [
        { url: '/_admin/sandboxes', init },
        { url: '/_admin/sandboxes/stage/reset', init: { ...init, method: 'POST' } },
      ]);
      return statuses.includes(200);
    },
  ),
  attack(
    'a rebound name',
    ['controlHost'],
    'a rebound page that knows the key reads the console',
    async (page, server) => {
      const urls = ['/_console/stage/requests', '/_console/_content/stage/requests', '/_console/_assets/console.css'];
      return (
        await fetched(
          page,
          urls.map((url) => ({ url, init: withKey(server.adminKey) })),
        )
      ).includes(200);
    },
  ),
  attack('another site', [], 'a page of another site reads', reads),
  attack('another port', [], 'a page of another port reads', reads),
  attack(
    'another site',
    ['portCrossSite'],
    'a page of another site leaves traces by what it may not read',
    async (page, server) => {
      const all = await everyFetch(server);
      const unread: Fetched[] = everywhere.map((path) => ({ url: at(server, path), init: { mode: 'no-cors' } }));
      return leavesTraces(server, () => fetched(page, [...all, ...unread]));
    },
  ),
  attack('another site', ['portCrossSite'], 'a page of another site logs in by a Blob', (page, server) => {
    const url = at(server, '/v2/authentication/token');
    const sent: Fetched = {
      url,
      init: { method: 'POST', mode: 'no-cors' },
      blob: credentials('demo').replace('demo', 'demo+seen'),
    };
    return leavesTraces(server, () => fetched(page, [sent]));
  }),
  attack('another site', ['portCrossSite'], 'a page of another site leaves traces by its elements', (page, server) => {
    const url = at(server, '/v2/products');
    const all = ['img', 'script', 'link', 'iframe', 'object'].map((tag) => ({ tag, url }));
    return leavesTraces(server, () => loaded(page, all));
  }),
  attack('another site', ['portCrossSite'], 'a page of another site sends the service a form', (page, server) =>
    leavesTraces(server, () => submitted(page, at(server, '/v2/orders'), 'text/plain')),
  ),
  {
    what: 'a page of another site sends the control API a form',
    from: 'another site',
    heldOffBy: [],
    heldOffByEach: ['controlOrigin', 'controlKey'],
    succeeds: (page, server) =>
      leavesTraces(server, () => submitted(page, at(server, '/_admin/sandboxes/stage/reset'), 'text/plain')),
  },
  {
    what: 'a page of another site sends the console a form',
    from: 'another site',
    heldOffBy: [],
    heldOffByEach: ['controlOrigin', 'controlKey'],
    succeeds: (page, server) =>
      leavesTraces(server, () => submitted(page, at(server, '/_console/_do/stage/sandboxes.reset'), urlencoded)),
  },
  attack('another site', [], 'a page of another site is told by a stream or a socket', opened),
  attack('another site', ['portCrossSite'], 'a socket of a page of another site leaves traces', (page, server) =>
    leavesTraces(server, () => opened(page, server)),
  ),
  attack(
    'another port',
    ['cross-origin-resource-policy'],
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
  attack(
    'our own origin',
    ['x-content-type-options'],
    'markup that came into a page of ours runs what is no script',
    (page, server) => ran(page, at(server, '/_docs/openapi.json')),
  ),
  attack(
    'another site',
    ['cross-origin-opener-policy'],
    'a page of another site keeps hold of the console that it opened',
    (page, server) => keepsHold(page, at(server, '/_console/stage/requests')),
  ),
  attack(
    'another site',
    ['cross-origin-opener-policy'],
    'a page of another site keeps hold of the reference that it opened',
    (page, server) => keepsHold(page, at(server, '/_docs')),
  ),
  attack('another site', ['content-security-policy'], 'a page of another site frames the console', (page, server) =>
    framed(page, 'iframe', at(server, '/_console/stage/switches')),
  ),
  attack(
    'another port',
    ['content-security-policy'],
    'a page of another port frames the reference as an object',
    (page, server) => framed(page, 'object', at(server, '/_docs')),
  ),
  attack(
    'another port',
    ['content-security-policy'],
    'a page of another port frames the tracking page',
    (page, server) => framed(page, 'iframe', at(server, '/_tracking/1Z')),
  ),
];
