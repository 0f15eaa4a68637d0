// A call whose server ended before it answered comes again to another one, with its key: it is done once, and answered alike.
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../../src/engine.ts';
import { origin } from '../../support/bare-sachet.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { adminKey, databaseOfTest, enginesAt } from '../../support/postgres/stores.ts';

async function replicas() {
  const [one, two] = (await enginesAt(await databaseOfTest(), 2, { randomSeed: undefined })) as [Engine, Engine];
  const call = async ({ fetch }: Engine, method: string, path: string, body?: unknown, key = 'k') => {
    const answer = await fetch(`${origin}/_admin/sandboxes${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return [answer.status, await answer.text()];
  };
  const clock = async (engine: Engine) => JSON.parse(String((await call(engine, 'GET', '/stage/clock'))[1])).now;
  return { one, two, call, clock };
}

describe.skipIf(postgresMissing())('a call that comes again at another server', () => {
  test('is not done again', async () => {
    const { one, two, call, clock } = await replicas();
    const first = await call(one, 'POST', '/stage/clock/advance', { seconds: 60 });
    expect(first[0]).toBe(200);
    expect(await call(two, 'POST', '/stage/clock/advance', { seconds: 60 })).toEqual(first);
    expect((await call(two, 'POST', '/stage/clock/advance', { seconds: 61 }))[0]).toBe(422);
    expect(await clock(two)).toBe('2026-11-20T12:01:00.000Z');
  });

  test('while the first is under way is done once with it', async () => {
    const { one, two, call, clock } = await replicas();
    const calls = [one, two, one, two].map((engine) => call(engine, 'POST', '/stage/clock/advance', { seconds: 60 }));
    expect(new Set((await Promise.all(calls)).map((answer) => answer.join(' '))).size).toBe(1);
    expect(await clock(one)).toBe('2026-11-20T12:01:00.000Z');
  });

  test('is known over a reset, a restore, a state that is put, and a server that loads it anew', async () => {
    const { one, two, call, clock } = await replicas();
    const first = await call(one, 'POST', '/stage/snapshots', { name: 'kept' });
    const [, state] = await call(one, 'GET', '/stage/state');
    await call(two, 'POST', '/stage/clock/advance', { seconds: 60 }, 'advance');
    await call(one, 'POST', '/stage/snapshots/kept/restore', undefined, 'restore');
    await call(two, 'PUT', '/stage/state', JSON.parse(String(state)), 'put');
    await call(one, 'POST', '/stage/reset', undefined, 'reset');
    const stage = await two.sandboxes.stage();
    stage.end();
    expect(await call(two, 'POST', '/stage/snapshots', { name: 'kept' })).toEqual(first);
    expect((await call(two, 'POST', '/stage/clock/advance', { seconds: 60 }, 'advance'))[0]).toBe(200);
    expect(await clock(two)).toBe('2026-11-20T12:00:00.000Z');
  });

  test('makes no second sandbox, and is given the same key', async () => {
    const { one, two, call } = await replicas();
    const make = (engine: Engine) => call(engine, 'POST', '', { own_key: true });
    const first = await make(one);
    expect(first[0]).toBe(201);
    expect(await make(two)).toEqual(first);
    const both = await Promise.all([one, two].map((engine) => call(engine, 'POST', '', { own_key: true }, 'other')));
    expect(both[0]).toEqual(both[1]);
    expect((await two.sandboxes.list()).length).toBe(4);
  });
});
