// deploy/haproxy.cfg in a real HAProxy, over replicas that share a database: what partners are answered while replicas die and end.
import { describe, expect, onTestFinished, test } from 'vitest';
import { failureResponse } from '../../../src/http/response.ts';
import { balancing, haproxyMissing } from '../../support/balancer.ts';
import { call, logIn, serving } from '../../support/command.ts';
import { followerOf } from '../../support/follower.ts';
import { someOrder } from '../../support/order-requests.ts';
import { Partners } from '../../support/partners.ts';
import { freshDatabase } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';

const key = 'balancer-key-1';
const admin = '/_admin/sandboxes/stage';
const failure = failureResponse().body as string;

/** Replicas over a new database, and a balancer before them. */
async function deployed(count: number) {
  const database = await freshDatabase({ url: process.env.TEST_POSTGRES ?? '' });
  onTestFinished(() => database.drop());
  const start = () => serving(['--store', database.url, '--admin-key', key]);
  const replicas = await Promise.all(Array.from({ length: count }, start));
  const [one] = replicas;
  if (!one) throw new Error('there is no replica');
  const url = await balancing(replicas.map(({ ready }) => ready.url));
  return { replicas, url, token: await logIn({ ...one.ready, url }) };
}

describe.skipIf(postgresMissing() ?? haproxyMissing())('replicas behind the balancer', () => {
  test('are called in turn', async () => {
    const { replicas, url, token } = await deployed(3);
    for (let n = 0; n < 9; n += 1) expect((await call('GET', `${url}/v2/products`, { token })).status).toBe(200);
    const counts = () => replicas.map(({ stderr }) => stderr.match(/GET \/v2\/products/g)?.length);
    await expect.poll(counts).toEqual([3, 3, 3]);
  });

  test('lose no order that was acknowledged, and fail no read, while one dies and another ends', async () => {
    const { replicas, url, token } = await deployed(3);
    const [killed, ended] = replicas;
    const partners = new Partners(url, token, { writers: 4, readers: 4 });
    await partners.more(30, 30);
    killed?.child.kill('SIGKILL');
    await partners.more(60, 60);
    ended?.child.kill('SIGTERM');
    expect(await ended?.ended()).toBe(0);
    await partners.more(60, 60);
    await partners.end();
    for (const answer of partners.odd) expect(answer).toEqual({ method: 'POST', status: 500, text: failure });
    const statuses = partners.acknowledged.map((id) => call('GET', `${url}/v2/orders/${id}`, { token }));
    expect(new Set((await Promise.all(statuses)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('pass events on as they happen', async () => {
    const { url, token } = await deployed(3);
    const events = followerOf(await fetch(`${url}${admin}/events`, { headers: { authorization: `Bearer ${key}` } }));
    await call('GET', `${url}/v2/products`, { token });
    expect(await events.next()).toMatchObject({ type: 'request', data: { path: '/v2/products', status: 200 } });
  });

  test('have a connection that a tester breaks end at the balancer: the order is stored, and answered with 500', async () => {
    const { url, token } = await deployed(2);
    const orders = async () => (await call('GET', `${url}/v2/orders`, { token })).body.orders[0]?.id;
    const before = await orders();
    const connection = { drop: 'after_processing', burst: 1 };
    await call('PATCH', `${url}${admin}/switches`, { token: key, body: { connection } });
    const { status, text } = await call('POST', `${url}/v2/orders`, { token, body: someOrder() });
    expect([status, text]).toEqual([500, failure]);
    expect(await orders()).not.toBe(before);
  });

  test('are the contract’s 500 over the service when one dies in the middle of an order, and of nobody else’s form over the rest', async () => {
    const { replicas, url, token } = await deployed(1);
    const latency = { milliseconds: 60_000, match: { operation: 'orders.create' } };
    await call('PATCH', `${url}${admin}/switches`, { token: key, body: { latency } });
    const ordered = fetch(`${url}/v2/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(someOrder()),
    });
    const met = async () => (await call('GET', `${url}${admin}/switches`, { token: key })).body.latency.hits;
    await expect.poll(met).toBe(1);
    replicas[0]?.child.kill('SIGKILL');
    const answer = await ordered;
    expect([answer.status, answer.statusText, await answer.text()]).toEqual([500, 'Internal Server Error', failure]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');

    const [read, told] = await Promise.all(['/v2/products', admin].map((path) => fetch(url + path)));
    expect([read?.status, await read?.text()]).toEqual([500, failure]);
    expect([told?.status, told?.headers.get('content-type')]).toEqual([503, 'text/plain']);
  });
});
