// How many calls came: counted by what they were and how they were answered, and never guessed.
import { describe, expect, test } from 'vitest';
import { createSachet } from '../../src/create-sachet.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { starts } from './starts.ts';

describe.each(starts)('%s', (_, open) => {
  test('calls are counted by all that a match names', async () => {
    const sandbox = await (await open()).createSandbox();
    const client = sandbox.client();
    for (const order of [sampleOrder(), sampleOrder(), sampleOrder({ order_lines: [] })])
      await client.post('/v2/orders', order);
    const counts = [
      await sandbox.received({}),
      await sandbox.received({ operation: 'orders.create' }),
      await sandbox.received({ operation: 'orders.create', status: 201 }),
      await sandbox.received({ operation: 'orders.create', status: 422 }),
      await sandbox.received({ method: 'POST', path: '/v2/authentication/token' }),
      await sandbox.received({ operation: 'products.list' }),
    ];
    expect(counts).toEqual([4, 3, 2, 1, 1, 0]);
  });

  test('those of another sandbox, and those before a clear, do not count', async () => {
    const sachet = await open();
    const [one, other] = [await sachet.createSandbox(), await sachet.createSandbox()];
    await one.fetch('/v2/products');
    await other.fetch('/v2/products');
    expect(await one.received({ operation: 'products.list' })).toBe(1);
    await one.requests.clear();
    expect([await one.received({}), await other.received({})]).toEqual([0, 1]);
  });

  test('of a sandbox that is gone it is a ControlError', async () => {
    const sandbox = await (await open()).createSandbox();
    await sandbox.delete();
    await expect(sandbox.received({})).rejects.toMatchObject({ name: 'ControlError', status: 404 });
  });
});

test('where the journal no longer has all of them, it is an error that says what to do', async () => {
  const sandbox = await createSachet().createSandbox({ name: 'w7' });
  for (let n = 0; n < 1001; n++) await sandbox.fetch('/v2/products');
  await expect(sandbox.received({})).rejects.toThrow(
    /"w7" is incomplete: it has dropped its oldest calls \(1\).*requests\.clear\(\)/,
  );
  await sandbox.requests.clear();
  await sandbox.fetch('/v2/products');
  expect(await sandbox.received({})).toBe(1);
});
