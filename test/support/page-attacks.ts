// What pages of others try, each request as a browser sends it and each answer judged as a browser does (Fetch, HTML, CSP): what is kept from
// a page, and what it gets.
import { request } from 'node:http';
import { bearer } from './forbidden.ts';
import { passwordOf } from './sachet.ts';
import type { Target } from './unprotected.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request, the host and all else as given. */
export function ask({ port }: Pick<Target, 'port'>, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const options = { port, path, method, headers: { host: `localhost:${port}`, ...headers }, agent: false };
    const sent = request({ host: '127.0.0.1', ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject).end(body);
  });
}

export const json = { 'content-type': 'application/json' };
const login = (username: string) => JSON.stringify({ username, password: passwordOf(username) });
const loginPath = '/v2/authentication/token';

/** What a browser says of a request that a page of another site has it make. */
export const fromAfar = (mode: string, dest: string) => ({
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
});
const elsewhere = { origin: 'http://127.0.0.1:9' };
/** The page's own name leads to this machine, and no trustworthy address has that name: a browser tells of no site. */
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

export interface Attack {
  readonly what: string;
  /** The protections that hold it off together: it succeeds where any of them is gone. */
  readonly heldOffBy: readonly string[];
  /** Those that hold it off each by itself: it succeeds where all of them are gone. */
  readonly heldOffByEach?: readonly string[];
  readonly succeeds: (server: Target) => Promise<boolean>;
}

const attack = (heldOffBy: readonly string[], what: string, succeeds: Attack['succeeds']): Attack => ({
  what,
  heldOffBy,
  succeeds,
});

/** Whether the request leaves anything behind. */
const leavesTraces = (path: string, sent: Sent) => async (server: Target) => {
  const before = await server.traces();
  await ask(server, path, sent);
  return (await server.traces()) !== before;
};

export const pageAttacks: readonly Attack[] = [
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
  // Of any other page the browser asks first whether it may send a key (below).
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
    heldOffBy: [],
    heldOffByEach: ['controlOrigin', 'controlKey'],
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
      '/_docs/openapi.json',
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
      const answer = await ask(server, '/_docs/openapi.json', { headers: fromAfar('no-cors', 'image') });
      return answer.status === 200 && mayBeLoaded(answer);
    },
  ),
  attack(['x-content-type-options'], 'markup that came into a page of ours runs what is no script', async (server) =>
    mayRun(await ask(server, '/_docs/openapi.json', { headers: { 'sec-fetch-site': 'same-origin' } })),
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
