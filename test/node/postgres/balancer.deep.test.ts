// deploy/haproxy.cfg in a real HAProxy before servers that share a database: the responses while servers are killed or end.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failureResponse } from '../../../src/http/response.ts';
import { asDeveloped, ended, useInstalled } from '../../package/package-folder.ts';
import { call, inMachineTime, logIn, root, serving } from '../../support/command.ts';
import { followerOf } from '../../support/follower.ts';
import { someOrder } from '../../support/order-requests.ts';
import { balancing, haproxyMissing } from '../balancer.ts';
import { placeAt, writeDuring } from './support/replicas.ts';
import { postgresMissing } from './support/server.ts';
import { adminKey, databaseOfTest } from './support/stores.ts';

const missing = postgresMissing() ?? haproxyMissing();
const stage = '/_admin/sandboxes/stage';
const failure = failureResponse().body as string;

/** Servers over a new database, and a balancer before them. */
async function deployed(count: number) {
  const args = ['--store', await databaseOfTest(), '--admin-key', adminKey];
  const replicas = await Promise.all(Array.from({ length: count }, () => serving(args)));
  const url = await balancing(replicas.map(({ ready }) => ready.url));
  const token = await logIn({ url, username: 'demo', password: 'sachet-demo', pid: 0 });
  return { replicas, url, token };
}

describe.skipIf(missing)('servers behind the balancer', () => {
  test('get calls in turn, stream events, and lose no order while one is killed and one ends', async () => {
    const { replicas, url, token } = await deployed(3);
    for (let n = 0; n < 9; n += 1) expect((await call('GET', `${url}/v2/products`, { token })).status).toBe(200);
    const counts = () => replicas.map(({ stderr }) => stderr.match(/GET \/v2\/products/g)?.length);
    await expect.poll(counts).toEqual([3, 3, 3]);
    const headers = { authorization: `Bearer ${adminKey}` };
    const events = followerOf(await fetch(`${url}${stage}/events`, { headers }));
    await call('GET', `${url}/v2/products`, { token });
    expect(await events.next()).toMatchObject({ type: 'request', data: { path: '/v2/products', status: 200 } });
    await events.leave();

    const [killed, stopped] = replicas;
    const written = await writeDuring([placeAt(url)], token, 30, async (soFar) => {
      const reach = (orders: number) =>
        expect.poll(() => soFar().acknowledged.size, { interval: 1 }).toBeGreaterThan(orders);
      killed?.child.kill('SIGKILL');
      await reach(soFar().acknowledged.size + 60);
      stopped?.child.kill('SIGTERM');
      expect(await stopped?.ended()).toBe(0);
      for (let n = 0; n < 20; n += 1) expect((await call('GET', `${url}/v2/products`, { token })).status).toBe(200);
      await reach(soFar().acknowledged.size + 60);
    });
    for (const response of written.others) expect(response).toBe(`500 ${failure}`);
    const statuses = [...written.acknowledged.values()].map((id) => call('GET', `${url}/v2/orders/${id}`, { token }));
    expect(new Set((await Promise.all(statuses)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('a broken connection, and a server that is killed, are the contract’s 500 over the service', async () => {
    const { replicas, url, token } = await deployed(1);
    const newest = async () => (await call('GET', `${url}/v2/orders`, { token })).body.orders[0]?.id;
    const set = (body: object) => call('PATCH', `${url}${stage}/switches`, { token: adminKey, body });
    const before = await newest();
    await set({ connection: { drop: 'after_processing', burst: 1 } });
    const { status, text } = await call('POST', `${url}/v2/orders`, { token, body: someOrder() });
    expect([status, text]).toEqual([500, failure]);
    expect(await newest()).not.toBe(before);

    await set({ latency: { milliseconds: 60_000, match: { operation: 'orders.create' } } });
    const ordered = fetch(`${url}/v2/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(someOrder()),
    });
    const hits = async () => (await call('GET', `${url}${stage}/switches`, { token: adminKey })).body.latency.hits;
    await expect.poll(hits).toBe(1);
    replicas[0]?.child.kill('SIGKILL');
    const response = await ordered;
    expect([response.status, response.statusText]).toEqual([500, 'Internal Server Error']);
    expect(await response.text()).toBe(failure);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');

    const [service, control] = await Promise.all(['/v2/products', stage].map((path) => fetch(url + path)));
    expect([service?.status, await service?.text()]).toEqual([500, failure]);
    expect([control?.status, control?.headers.get('content-type')]).toEqual([503, 'text/plain']);
  });
});

const example = join(root, 'examples/ky');
const read = (name: string) => readFileSync(join(example, name), 'utf8');
const filesIn = (folder: string) => readdirSync(join(example, folder)).map((name) => `${folder}/${name}`);

describe.skipIf(missing)('a partner’s test run', () => {
  const { dependencies } = JSON.parse(read('package.json'));
  const names = ['vitest.config.ts', ...filesIn('src'), ...filesIn('test')];
  const files = Object.fromEntries(names.map((name) => [name, read(name)]));
  const partner = missing ? () => '' : useInstalled([asDeveloped('vitest'), `ky@${dependencies.ky}`], files);

  // The balancer hides the connections that these tests break (docs/guide/several-servers.md).
  const visible = '^(?!.*(after a lost response|does not find a lost order))';

  // Real time: the kill has to come during the run.
  test('passes although one of three servers is killed during it', inMachineTime, async () => {
    const { replicas, url } = await deployed(3);
    const run = ended(partner(), 'npx', ['vitest', 'run', '-t', visible], {
      SACHET_BASE_URL: url,
      SACHET_ADMIN_KEY: adminKey,
    });
    onTestFinished(() => run.then(() => undefined));
    const calls = () => replicas.map(({ stderr }) => stderr.match(/\/v2\//g)?.length ?? 0);
    await expect.poll(() => Math.min(...calls()), { interval: 5, timeout: 60_000 }).toBeGreaterThanOrEqual(5);
    const atKill = calls();
    replicas[0]?.child.kill('SIGKILL');
    const { code, stdout, stderr } = await run;
    expect(code, stdout + stderr).toBe(0);
    expect(calls()[0]).toBeLessThan((atKill[0] ?? 0) + 5);
    for (const other of [1, 2]) expect(calls()[other]).toBeGreaterThan((atKill[other] ?? 0) + 5);
  });
});
