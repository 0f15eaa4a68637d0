// A running server: the built command starts, responds, and ends; /health of a server that cannot do everything; and which
// calls over a port count as parallel. The deep tests have the rest.
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { isReady } from '../../src/contract/health.ts';
import { callLine } from '../../src/node/call-line.ts';
import { createLog } from '../../src/node/platform.ts';
import { version } from '../../src/version.ts';
import { served } from '../library/starts.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { call, logIn, serving } from '../support/command.ts';
import { someOrder } from '../support/order-requests.ts';
import { bareSachet, fixtures, noon, send } from '../support/sachet.ts';

test('starts with a ready record, responds, logs, and ends with 0 after SIGTERM', async () => {
  const server = await serving();
  const { ready } = server;
  expect(Object.keys(ready)).toEqual(['url', 'admin_key', 'console_url', 'username', 'password', 'pid']);
  expect(ready).toMatchObject({ username: 'demo', pid: server.child.pid });
  expect(ready.url).toMatch(/^http:\/\/localhost:[1-9]\d*$/);
  expect((await call('GET', `${ready.url}/health`)).body).toEqual({ status: 'ok', version });
  expect((await call('GET', `${ready.url}/v2/products`, { token: await logIn(ready) })).status).toBe(200);
  await server.until('line of the call', ({ stderr }) => stderr.includes('GET /v2/products 200'));
  server.child.kill('SIGTERM');
  expect(await server.ended()).toBe(0);
  expect(server.stdout).toMatch(/^\{.*\}\n$/);
});

test('a line of the log stays one line, whatever a path contains', async () => {
  const paths = [
    '/_admin/sandboxes/x%0a00:00:00.000%20GET%20%2F/clock',
    '/_admin/sandboxes/%1b%5b2J/clock',
    '/_console/%0aX%1b%5b2J',
    '/_console/_top/%0a',
    '/sandboxes/%0d%0a/v2/products',
    '/sandboxes/%E2%80%A8/_docs',
  ];
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(`${text}`) > 0);
  onTestFinished(() => write.mockRestore());
  for (const path of paths) await send(bareSachet({ log: createLog('text') }), 'GET', path);
  expect(written).toEqual(paths.map(() => expect.stringMatching(/^[^\p{C}\p{Zl}\p{Zp}]+\n$/u)));
});

test('a line of the log has the rule and the reason of a rejection, and colors only if asked for', async () => {
  const lines: string[] = [];
  const { fetch } = bareSachet({ log: (call) => lines.push(callLine({ ...call, time: 'T', milliseconds: 1.26 })) });
  await fetch('http://localhost/v2/products');
  await fetch('http://localhost/health');
  await fetch('http://localhost/favicon.ico');
  expect(lines).toEqual([
    'T GET /v2/products 401 missing_token_message the header Authorization is missing 1.3 ms stage',
    'T GET /favicon.ico 404 HTTP-1 no route GET /favicon.ico; /_docs lists the routes 1.3 ms',
  ]);
  const call = { time: 'T', method: 'GET', path: '/\u001b[2J', status: 200, milliseconds: 1 };
  const colored = callLine(call, true);
  expect(colored).toContain('\u001b[32m200\u001b[39m');
  expect(stripVTControlCharacters(colored)).toBe(callLine(call));
});

const why = 'writes are refused: the disk is full';

test('the problem of the store is reported as long as it lasts, and draining before it', async () => {
  let problem: string | undefined = why;
  const store = { ...createChaosStore(), problem: () => problem };
  const engine = createEngine({ fixtures, clock: noon, store });
  const health = async () => {
    const response = await engine.fetch('http://localhost/health');
    return [response.status, await response.json()];
  };
  expect(await health()).toEqual([200, { status: 'degraded', version, why }]);
  expect((await engine.fetch('http://localhost/v2/products')).status).toBe(401);
  problem = undefined;
  expect(await health()).toEqual([200, { status: 'ok', version }]);
  problem = 'another';
  expect(await health()).toEqual([200, { status: 'degraded', version, why: 'another' }]);
  engine.close();
  expect(await health()).toEqual([503, { status: 'draining', version }]);
});

test('a server is ready if it is ok or degraded, and is one of Sachet', () => {
  const ready = [JSON.stringify({ status: 'ok', version }), JSON.stringify({ status: 'degraded', version, why })];
  const others = ['draining', 'well', 'toString', ['ok']].map((status) => ({ status, version }));
  const bodies = [...others, { status: 'degraded' }, { status: 'ok', version: 1 }, null, [], 'ok'];
  const texts = ['', 'ok', '<h1>It works</h1>', '{"status":"ok","version":"1"'];
  expect([...ready, ...bodies.map((body) => JSON.stringify(body)), ...texts].filter(isReady)).toEqual(ready);
});

/** A sandbox on a port, and the tokens of a login. */
async function loggedIn() {
  const stage = (await served()).sandbox('stage');
  const post = (path: string, body: object, token = '', init: RequestInit = {}) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return stage.fetch(path, { method: 'POST', headers, body: JSON.stringify(body), ...init });
  };
  const login = await post('/v2/authentication/token', { username: 'demo', password: 'sachet-demo' });
  const { access_token: token, refresh_token } = await login.json();
  return { stage, post, token, refresh_token };
}

test('the conduct report judges parallel calls that meet a failure as correct', async () => {
  const { stage, post, token, refresh_token } = await loggedIn();
  const get = async (by: string) =>
    (await stage.fetch('/v2/products', { headers: { authorization: `Bearer ${by}` } })).status;
  const together = async (by: string) => (await Promise.all(Array.from({ length: 10 }, () => get(by)))).toSorted();
  await stage.switches.set({ token_expiry: { expire_issued: true }, rate_limit: { burst: 1 } });
  expect(await together(token)).toEqual([...Array(9).fill(401), 429]);
  const { access_token: renewed } = await (await post('/v2/authentication/refresh-token', { refresh_token })).json();
  await stage.clock.advance({ seconds: 60 });
  await stage.switches.set({ server_error: { burst: 1 } });
  expect(await together(renewed)).toEqual([...Array(9).fill(200), 500]);
  await stage.clock.advance({ seconds: 10 });
  await get(renewed);
  const { rules } = await stage.report.get();
  expect(rules.filter(({ outcome }) => outcome === 'fail').map(({ advice }) => advice)).toEqual([]);
  const passed = rules.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['refresh_on_401', 'no_dead_token', 'retry_after', 'backoff_on_500']));
});

test('the conduct report counts an order that the client aborted while it waited as lost', async () => {
  const { stage, post, token } = await loggedIn();
  const match = { operation: 'orders.create' } as const;
  await stage.switches.set({ latency: { milliseconds: 600_000, match } });
  const leaving = new AbortController();
  const sent = post('/v2/orders', someOrder(), token, { signal: leaving.signal });
  await expect.poll(async () => (await stage.requests.list(match)).requests.length).toBe(1);
  leaving.abort();
  await expect(sent).rejects.toThrow();
  await stage.requests.wait({ match, timeout_ms: 20_000 });
  await stage.switches.set({ latency: null });
  expect((await post('/v2/orders', someOrder(), token)).status).toBe(201);
  const { rules } = await stage.report.get();
  expect(rules.find(({ id }) => id === 'no_double_submit')?.outcome).toBe('fail');
});
