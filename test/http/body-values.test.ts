// A body has no more values than its faults can be told of.
import { expect, test } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { testSachet } from '../support/sachet.ts';

/** A body of so many values: itself, its list, and the list's items. */
const bodyOf = (values: number) => ({ order_lines: Array.from({ length: values - 2 }, () => 0) });

test('a body of as many values as the bound is judged; one more is malformed', async () => {
  const client = await testSachet().login();
  const judged = await client.post('/v2/orders', bodyOf(limits.bodyValues));
  expect([judged.status, judged.body.details.length]).toEqual([422, limits.bodyValues]);
  const refused = await client.post('/v2/orders', bodyOf(limits.bodyValues + 1));
  expect([refused.status, refused.body.message]).toEqual([400, 'Invalid request payload JSON format']);
});

test('pouches without number, each with a fault, are no failure of the server', async () => {
  const client = await testSachet().login();
  const { status } = await client.post('/v2/orders', { order_lines: [{ pouches: Array(125_000).fill({}) }] });
  expect(status).toBe(400);
});
