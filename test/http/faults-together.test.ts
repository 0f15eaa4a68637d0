// Several faults at once: in the order of their creation, until one answers the call or breaks its connection.
import { expect, test } from 'vitest';
import { recordDelays, testStage } from '../support/stage.ts';

test('a delay adds to what comes after it; a status ends the call', async () => {
  const { sachet, stage, client } = await testStage();
  const waited = await recordDelays(sachet);
  await stage.faults.create({ id: 'slow', delay: { milliseconds: 40 } });
  await stage.faults.create({ id: 'gone', status: 404, times: 1 });
  await stage.faults.create({ id: 'later', delay: { milliseconds: 2 } });
  const faults = [];
  for (let n = 0; n < 2; n += 1) {
    const { status, headers } = await client.get('/v2/products');
    faults.push([status, headers.get('sandbox-fault')]);
  }
  expect(faults).toEqual([
    [404, 'slow, gone'],
    [200, 'slow, later'],
  ]);
  expect([waited, (await stage.faults.get('later')).hits]).toEqual([[40, 42], 1]);
});

test('delays of switches and faults add up, also one with a status or a drop', async () => {
  const { sachet, stage, client, status } = await testStage();
  const waited = await recordDelays(sachet);
  await stage.faults.create({ delay: { milliseconds: 1 } });
  await stage.switches.set({ latency: { milliseconds: 10 } });
  await stage.faults.create({ delay: { milliseconds: 100 }, status: 500, times: 1 });
  await stage.faults.create({ delay: { milliseconds: 1000 }, drop: 'before_processing', times: 1 });
  expect(await status()).toBe(500);
  await expect(client.get('/v2/products')).rejects.toThrow('fetch failed');
  expect([await status(), waited]).toEqual([200, [111, 1011, 11]]);
});

test('there are 200 overrides at most; one more is rejected and changes nothing', async () => {
  const { stage, status } = await testStage();
  await stage.switches.set({ latency: { milliseconds: 0 } });
  const put = { status: 500, match: { method: 'PUT' } } as const;
  for (let n = 0; n < 199; n += 1) await stage.faults.create(put);
  const rejected = { status: 422, message: expect.stringContaining('200') };
  await expect(stage.faults.create({ status: 500 })).rejects.toMatchObject(rejected);
  await expect(stage.switches.set({ server_error: {} })).rejects.toMatchObject(rejected);
  expect(await status()).toBe(200);
  await stage.faults.delete('fault-1');
  await stage.faults.create(put);
});

test.each([404, 429] as const)(
  'a delay that a reset ends is followed by 500, not by the %i of the fault',
  async (status) => {
    const { stage, client } = await testStage();
    await stage.faults.create({ id: 'slow', delay: { milliseconds: 3_600_000 }, status });
    const call = client.get('/v2/products');
    await expect.poll(async () => (await stage.faults.get('slow')).hits).toBe(1);
    await stage.reset();
    expect((await call).status).toBe(500);
    expect((await client.get('/v2/products')).status).toBe(200);
  },
);
