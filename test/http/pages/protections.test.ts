// Attacks of foreign pages, sent as a browser sends them and judged as a browser does (Fetch, HTML, CSP): all of them fail,
// and each protection is needed.
import { expect, onTestFinished, test } from 'vitest';
import { passwordOf } from '../../support/sachet.ts';
import { bearer } from './forbidden.ts';
import { type Answer, ask, fromAfar, json, protections, type Sent, type Target, target } from './unprotected.ts';

const login = (username: string) => JSON.stringify({ username, password: passwordOf(username) });
const loginPath = '/v2/authentication/token';

const elsewhere = { origin: 'http://127.0.0.1:9' };
/** The page's own host name resolves to this machine (DNS rebinding): the browser sends no Sec-Fetch-Site. */
const rebound = ({ port }: Target) => ({ host: `evil.example:${port}` });
const reboundPost = (server: Target) => ({ ...rebound(server), origin: `http://evil.example:${server.port}` });

const isScript = ({ headers }: Answer): boolean =>
  /^(?:text|application)\/javascript\b/.test(`${headers['content-type']}`);
const mayBeLoaded = ({ headers }: Answer): boolean => headers['cross-origin-resource-policy'] !== 'same-origin';
const mayRun = (answer: Answer): boolean => isScript(answer) || answer.headers['x-content-type-options'] !== 'nosniff';
const mayBeFramed = ({ headers }: Answer): boolean =>
  !/frame-ancestors 'none'/.test(`${headers['content-security-policy']}`);
const isLetGo = ({ headers }: Answer): boolean => headers['cross-origin-opener-policy'] !== 'same-origin';
/** Whether a page of another origin may read it, or may send what a preflight asks for. */
const isShared = ({ headers }: Answer): boolean =>
  Object.keys(headers).some((name) => name.startsWith('access-control-'));

interface Attack {
  readonly what: string;
  /** It succeeds if any of these protections is missing. */
  readonly stoppedBy: readonly string[];
  /** It succeeds only if all of these protections are missing. */
  readonly stoppedByEach?: readonly string[];
  readonly succeeds: (server: Target) => Promise<boolean>;
}

const attack = (stoppedBy: readonly string[], what: string, succeeds: Attack['succeeds']): Attack => ({
  what,
  stoppedBy,
  succeeds,
});

/** Whether the request changes anything on the server. */
const leavesTraces = (path: string, sent: Sent) => async (server: Target) => {
  const before = await server.traces();
  await ask(server, path, sent);
  return (await server.traces()) !== before;
};

const pageAttacks: readonly Attack[] = [
  attack(['portHost'], 'a rebound page logs in, and reads orders', async (server) => {
    const { status } = await ask(server, loginPath, {
      method: 'POST',
      headers: { ...reboundPost(server), ...json },
      body: login('demo'),
    });
    return status === 200;
  }),
  attack(['portHost'], 'a rebound page reads the reference', async (server) => {
    const answers = ['/_docs', '/_docs/openapi.json', '/sandboxes/production/_docs/openapi.json'];
    const statuses = await Promise.all(
      answers.map(async (path) => (await ask(server, path, { headers: rebound(server) })).status),
    );
    return statuses.includes(200);
  }),
  attack(['controlHost'], 'a rebound page that knows the key resets a sandbox', async (server) => {
    const headers = { ...reboundPost(server), ...bearer(server.adminKey) };
    return (await ask(server, '/_admin/sandboxes/stage/reset', { method: 'POST', headers })).status === 200;
  }),
  attack(['controlHost'], 'a rebound page that knows the key reads the console', async (server) => {
    const headers = { ...rebound(server), ...bearer(server.adminKey) };
    return (await ask(server, '/_console/_content/stage/orders', { headers })).status === 200;
  }),
  attack(
    ['controlHost'],
    'a rebound page reads the shell of the console',
    async (server) => (await ask(server, '/_console/stage/orders', { headers: rebound(server) })).status === 200,
  ),
  // For any other page the browser sends a preflight first (below).
  attack(
    ['controlOrigin'],
    'a page of an extension, which no browser holds, knows the key and resets a sandbox',
    async (server) => {
      const headers = { origin: 'chrome-extension://abcdefghijklmnop', ...bearer(server.adminKey) };
      return (await ask(server, '/_admin/sandboxes/stage/reset', { method: 'POST', headers })).status === 200;
    },
  ),
  attack(['controlKey'], 'a program that has no key reads what the journal holds', async (server) => {
    const paths = ['/_admin/sandboxes/stage/requests', '/_console/_content/stage/requests'];
    return (await Promise.all(paths.map((path) => ask(server, path)))).some(({ status }) => status === 200);
  }),
  attack(
    ['portCrossSite'],
    'a page of another site makes a sandbox by a login that it cannot read',
    leavesTraces(loginPath, {
      method: 'POST',
      headers: { ...elsewhere, ...fromAfar('no-cors', 'empty') },
      body: login('demo').replace('demo', 'demo+seen'),
    }),
  ),
  attack(
    ['portCrossSite'],
    'a page of another site fills the journal by images',
    leavesTraces('/v2/products', { headers: fromAfar('no-cors', 'image') }),
  ),
  attack(
    ['portCrossSite'],
    'a page of another site fills the journal of a sandbox by a frame',
    leavesTraces('/sandboxes/production/v2/products', { headers: fromAfar('navigate', 'iframe') }),
  ),
  attack(
    ['portCrossSite'],
    'a page of another site has a form sent',
    leavesTraces('/v2/orders', {
      method: 'POST',
      headers: { ...elsewhere, ...fromAfar('navigate', 'document'), 'content-type': 'text/plain' },
      body: '{"consumer":"="}',
    }),
  ),
  {
    what: 'a page of another origin has a form sent to the control API or the console',
    stoppedBy: [],
    stoppedByEach: ['controlOrigin', 'controlKey'],
    async succeeds(server) {
      const before = await server.traces();
      for (const path of [
        '/_admin/sandboxes/stage/reset',
        '/_console/_do/stage/sandboxes.reset',
        '/_console/_order/stage',
      ])
        await ask(server, path, { method: 'POST', headers: { ...elsewhere, ...fromAfar('navigate', 'document') } });
      return (await server.traces()) !== before;
    },
  },
  attack([], 'a page of another origin reads an answer, or is let send a key', async (server) => {
    const preflight = {
      ...elsewhere,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const paths = [
      '/v2/products',
      '/sandboxes/stage/v2/orders',
      '/_admin/sandboxes',
      '/_console/_top/stage',
      '/health',
    ];
    const sent = [{ headers: elsewhere }, { method: 'OPTIONS', headers: preflight }];
    const answers = await Promise.all(paths.flatMap((path) => sent.map((one) => ask(server, path, one))));
    return answers.some(isShared);
  }),
  attack(
    ['cross-origin-resource-policy'],
    'a page of another origin runs our scripts, and wears our styles, as its own',
    async (server) => {
      const paths = ['/_docs/swagger-ui-bundle.js', '/_docs/swagger-ui.css', '/_console/_assets/htmx.js'];
      const answers = await Promise.all(
        paths.map((path) => ask(server, path, { headers: fromAfar('no-cors', 'script') })),
      );
      return answers.some((answer) => answer.status === 200 && mayBeLoaded(answer));
    },
  ),
  attack(
    ['cross-origin-resource-policy'],
    'a page of another origin takes a document of ours into its process',
    async (server) => {
      const answer = await ask(server, '/health', { headers: fromAfar('no-cors', 'image') });
      return answer.status === 200 && mayBeLoaded(answer);
    },
  ),
  attack(['x-content-type-options'], 'markup that came into a page of ours runs what is no script', async (server) =>
    mayRun(await ask(server, '/health', { headers: { 'sec-fetch-site': 'same-origin' } })),
  ),
  attack(['x-content-type-options'], "a page of our site's other port runs an answer of the service", async (server) =>
    mayRun(await ask(server, '/v2/products', { headers: { 'sec-fetch-site': 'same-site' } })),
  ),
  attack(
    ['cross-origin-opener-policy'],
    'a page of another origin keeps hold of the console that it opened',
    async (server) =>
      isLetGo(await ask(server, '/_console/stage/requests', { headers: fromAfar('navigate', 'document') })),
  ),
  attack(
    ['content-security-policy'],
    'a page of another origin frames a page of ours, and has it pressed unseen',
    async (server) => {
      const paths = ['/_console/stage/switches', '/_docs'];
      const answers = await Promise.all(
        paths.map((path) => ask(server, path, { headers: fromAfar('navigate', 'iframe') })),
      );
      return answers.some(mayBeFramed);
    },
  ),
];

/** The attacks that succeed on a server without these protections. */
async function successful(...removed: readonly string[]): Promise<string[]> {
  const server = await target(removed);
  onTestFinished(() => server.close());
  const found: string[] = [];
  for (const { what, succeeds } of pageAttacks) if (await succeeds(server)) found.push(what);
  return found;
}

test('with all protections every attack fails', async () => {
  expect(await successful()).toEqual([]);
});

test('without any one of them exactly the attacks succeed that it stops', async () => {
  expect(protections).toEqual([
    'portHost',
    'portCrossSite',
    'controlHost',
    'controlOrigin',
    'controlKey',
    'x-content-type-options',
    'cross-origin-resource-policy',
    'cross-origin-opener-policy',
    'content-security-policy',
  ]);
  for (const removed of protections) {
    const own = pageAttacks.filter(({ stoppedBy }) => stoppedBy.includes(removed)).map(({ what }) => what);
    expect(own.length, removed).toBeGreaterThan(0);
    expect(await successful(removed), removed).toEqual(own);
  }
});

test('an attack that several protections stop succeeds without all of them', async () => {
  const several = pageAttacks.flatMap(({ what, stoppedByEach }) => (stoppedByEach ? [{ what, stoppedByEach }] : []));
  expect(several.length).toBeGreaterThan(0);
  for (const { what, stoppedByEach } of several) expect(await successful(...stoppedByEach)).toContain(what);
});
