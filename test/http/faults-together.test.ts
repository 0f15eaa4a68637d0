// Several faults at once: each has its turn by age, until one answers the call or breaks its connection.
import { describe, expect, test } from 'vitest';
import { bent, unwaited } from '../support/bent.ts';
import { controlled, untilSo } from '../support/control.ts';

const path = '/sandboxes/stage/faults';

describe('several', () => {
  test('an earlier delay and a later status both meet the call; the answer names both', async () => {
    const { sachet, stage, client } = await bent();
    const waited = await unwaited(sachet);
    await stage.faults.create({ id: 'slow', delay: { milliseconds: 40 } });
    await stage.faults.create({ id: 'gone', status: 404, times: 1 });
    const { status, headers } = await client.get('/v2/products');
    expect([status, headers.get('sandbox-fault'), waited]).toEqual([404, 'slow, gone', [40]]);
    expect((await client.get('/v2/products')).headers.get('sandbox-fault')).toBe('slow');
  });

  test('an earlier status answers, and the later delay is not met', async () => {
    const { sachet, stage, status } = await bent();
    const waited = await unwaited(sachet);
    await stage.faults.create({ status: 404, times: 1 });
    await stage.faults.create({ id: 'slow', delay: { milliseconds: 40 } });
    expect([await status(), (await stage.faults.get('slow')).hits]).toEqual([404, 0]);
    expect([await status(), waited]).toEqual([200, [40]]);
  });

  test('delays add up, and one of its own may come before its status or its drop', async () => {
    const { sachet, stage, client } = await bent();
    const waited = await unwaited(sachet);
    await stage.faults.create({ delay: { milliseconds: 1 } });
    await stage.switches.set({ latency: { milliseconds: 10 } });
    await stage.faults.create({ delay: { milliseconds: 100 }, status: 500, times: 1 });
    await stage.faults.create({ delay: { milliseconds: 1000 }, drop: 'before_processing', times: 1 });
    expect((await client.get('/v2/products')).status).toBe(500);
    await expect(client.get('/v2/products')).rejects.toThrow('fetch failed');
    expect([(await client.get('/v2/products')).status, waited]).toEqual([200, [111, 1011, 11]]);
  });

  test('up to two hundred with the switches; one more is refused and changes nothing', async () => {
    const { admin, sachet } = controlled();
    await admin('PATCH', '/sandboxes/stage/switches', { latency: { milliseconds: 0 } });
    for (let n = 0; n < 199; n += 1) await admin('POST', path, { status: 500, match: { method: 'PUT' } });
    const full = await admin('POST', path, { status: 500 });
    expect([full.status, full.body.message]).toEqual([422, expect.stringContaining('200')]);
    expect((await admin('PATCH', '/sandboxes/stage/switches', { server_error: {} })).status).toBe(422);
    expect((await (await sachet.login()).get('/v2/products')).status).toBe(200);
    await admin('DELETE', `${path}/fault-1`);
    expect((await admin('POST', path, { status: 500, match: { method: 'PUT' } })).status).toBe(201);
  });
});

describe('a delay that a reset ends', () => {
  test.each([{ status: 404 }, { status: 429 }] as const)(
    'is followed by the 500 of the contract, not by the %j of a life that is over',
    async (what) => {
      const { stage, client } = await bent();
      await stage.faults.create({ id: 'slow', delay: { milliseconds: 3_600_000 }, ...what });
      const call = client.get('/v2/products');
      await untilSo(async () => (await stage.faults.get('slow')).hits === 1);
      await stage.reset();
      expect((await call).status).toBe(500);
      expect((await client.get('/v2/products')).status).toBe(200);
    },
  );
});
