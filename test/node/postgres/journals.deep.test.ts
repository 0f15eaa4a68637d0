// The journal of a sandbox over three servers: what one of them has answered is there for all, in one order, when the answer is.
import { describe, expect, test } from 'vitest';
import { controlClient } from '../../../src/client/control-client.ts';
import type { SandboxControl } from '../../../src/client/sandbox-control.ts';
import type { Engine } from '../../../src/engine.ts';
import { origin, send } from '../../support/bare-sachet.ts';
import { ask } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { adminKey, databaseOfTest, enginesAt } from '../../support/postgres/stores.ts';

type Replica = Engine & { readonly stage: SandboxControl };

const controlled = (engine: Engine): Replica => ({
  ...engine,
  stage: controlClient({ url: origin, adminKey, fetch: engine.fetch }).sandbox('stage'),
});

async function replicas() {
  const url = await databaseOfTest();
  const [one, two, three] = (await enginesAt(url, 3)).map(controlled) as [Replica, Replica, Replica];
  const login = await send(one, 'POST', '/v2/authentication/token', {
    body: { username: 'demo', password: 'sachet-demo' },
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const get = async (replica: Engine, path = '/v2/products') => (await send(replica, 'GET', path, { token })).status;
  return { url, all: [one, two, three] as const, one, two, three, get };
}

const listed = async ({ stage }: Replica) => (await stage.requests.list()).requests.map(({ id }) => id);

describe.skipIf(postgresMissing())('a journal over three servers', () => {
  test('has all calls in one order, whichever server is asked', async () => {
    const { all, get } = await replicas();
    await Promise.all(Array.from({ length: 30 }, (_, n) => get(all[n % 3] as Replica)));
    const lists = await Promise.all(all.map(listed));
    expect(new Set(lists[0]).size).toBe(31);
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).toEqual(lists[0]);
  });

  test('tells a call whole', async () => {
    const { one, two, get } = await replicas();
    await one.stage.faults.create({ id: 'slow', status: 500, times: 1 });
    await get(one);
    await get(one, '/v2/fulfillments?limit=none');
    const [first, second] = [await one.stage.requests.list(), await two.stage.requests.list()];
    expect(second).toEqual(first);
    expect(second.requests.at(-1)).toMatchObject({ status: 400, decision: { stage: 'query' } });
    expect(second.requests.at(-2)).toMatchObject({ status: 500, decision: { faults: ['slow'] } });
  });

  test('has a call once it is answered: a verify by another server never misses it', async () => {
    const { all, get } = await replicas();
    for (let n = 1; n <= 50; n += 1) {
      await get(all[n % 3] as Replica);
      const match = { path: '/v2/products' };
      const found = await (all[(n + 1) % 3] as Replica).stage.requests.verify({ match, count: n });
      expect(found).toMatchObject({ satisfied: true, count: n });
    }
  });

  test('lets a wait at one server end with a call to another', async () => {
    const { one, two, get } = await replicas();
    const waiting = one.stage.requests.wait({ match: { path: '/v2/fulfillments' }, timeout_ms: 60_000 });
    await get(two, '/v2/fulfillments');
    expect(await waiting).toMatchObject({ satisfied: true, count: 1 });
  });

  test('is followed at one server with what happens at another', async () => {
    const { one, two, get } = await replicas();
    const feed = await one.fetch(`${origin}/_admin/sandboxes/stage/events`, {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    const reader = (feed.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    await get(two, '/v2/fulfillments');
    await two.stage.switches.set({ rate_limit: { burst: 1 } });
    let text = '';
    while (!text.includes('event: state') || !text.includes('"path":"/v2/fulfillments"'))
      text += decoder.decode((await reader.read()).value, { stream: true });
    expect(text).not.toContain('"path":"/v2/authentication/token"');
    await reader.cancel();
  });

  test('judges conduct by the calls to all of them', async () => {
    const { all, one, get } = await replicas();
    await one.stage.switches.set({ rate_limit: { burst: 6 } });
    for (let n = 0; n < 6; n += 1) await get(all[n % 3] as Replica);
    const reports = await Promise.all(all.map(({ stage }) => stage.report.get()));
    expect(reports[1]).toEqual(reports[0]);
    expect(reports[2]).toEqual(reports[0]);
    expect(reports[0]?.rules.find(({ id }) => id === 'token_reuse')).toMatchObject({ outcome: 'pass' });
  });

  test.each(['clear', 'reset'] as const)('is empty everywhere after a %s at one', async (how) => {
    const { all, one, two, get } = await replicas();
    for (const replica of all) await get(replica);
    for (const replica of all) expect(await listed(replica)).toHaveLength(4);
    if (how === 'clear') await two.stage.requests.clear();
    else await two.stage.reset();
    for (const replica of all) expect(await listed(replica)).toEqual([]);
    await get(one);
    for (const replica of all)
      expect(await replica.stage.requests.list()).toMatchObject({ dropped: 0, requests: [{}] });
  });

  test('is bounded, in memory and in the database', async () => {
    const { url, all, two, get } = await replicas();
    for (let n = 0; n < 60; n += 1)
      await Promise.all(Array.from({ length: 50 }, (_, one) => get(all[one % 3] as Replica)));
    const { requests, dropped } = await two.stage.requests.list();
    expect([requests.length, dropped]).toEqual([1000, 2001]);
    const rows = async () => Number((await ask(url, 'select count(*) from journal_rows'))[0]?.count);
    await expect.poll(rows).toBeLessThanOrEqual(2500);
  });
});
