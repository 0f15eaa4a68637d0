// Small promises of the control API that an attack or a review found broken once.
import { expect, test } from 'vitest';
import { ControlError } from '../../../src/client/control-client.ts';
import { bounds } from '../../../src/contract/control/bounds.ts';
import { createChaosStore } from '../../support/chaos-store.ts';
import { someOrder } from '../../support/order-requests.ts';
import { testSachet } from '../../support/sachet.ts';

const refusalOf = async (call: Promise<unknown>): Promise<[status: unknown, message: unknown]> => {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof ControlError ? [error.status, error.message] : [error, undefined];
};

test('a sandbox has as many waits as it may, and no more; those that end make way', async () => {
  const { control } = testSachet();
  await control.create({ name: 'w' });
  const { requests, delete: remove } = control.sandbox('w');
  const wait = () => requests.wait({ match: {}, timeout_ms: 60_000 });
  const waiting = Array.from({ length: bounds.waits }, () => refusalOf(wait()));
  await requests.list();
  expect(await refusalOf(requests.wait({ match: { status: 500 }, timeout_ms: 1 }))).toEqual([
    422,
    expect.stringContaining(`${bounds.waits} calls already wait`),
  ]);
  await remove();
  const statuses = (await Promise.all(waiting)).map(([status]) => status);
  expect(new Set(statuses)).toEqual(new Set([409]));
});

test('of two deletions at once the second leaves the sandbox alone that is made of the name since', async () => {
  const { control } = testSachet({ store: createChaosStore() });
  await control.create({ name: 'w1' });
  const both = [control.sandbox('w1').delete(), control.sandbox('w1').delete()];
  await Promise.race(both);
  const made = control.create({ name: 'w1' }).catch(() => undefined);
  await Promise.allSettled(both);
  if (!(await made)) await control.create({ name: 'w1' });
  await control.sandbox('w1').clock.set({ frozen: true });
  expect((await control.sandbox('w1').clock.get()).frozen).toBe(true);
});

test('the key of a sandbox cannot be the admin key', async () => {
  const adminKey = 'an-admin-key-of-length';
  const { control } = testSachet({ adminKey });
  expect((await refusalOf(control.create({ name: 'w1', own_key: adminKey })))[0]).toBe(422);
  expect((await control.list()).sandboxes.map(({ name }) => name)).not.toContain('w1');
});

test('a record that was given the id that would be drawn next keeps it, and the next order has another', async () => {
  const [drawn, sachet] = [testSachet(), testSachet()];
  const { body } = await (await drawn.login()).post('/v2/orders', someOrder());
  const stage = sachet.control.sandbox('stage');
  const [order] = (await stage.records.orders.list({ limit: 1 })).orders;
  await stage.records.orders.create({ ...order, id: body.order.id });
  const answer = await (await sachet.login()).post('/v2/orders', someOrder());
  expect([answer.status, answer.body.order.id === body.order.id]).toEqual([201, false]);
});

test('a list since a request that the journal does not have is 409, not everything', async () => {
  const stage = testSachet().control.sandbox('stage');
  expect((await refusalOf(stage.requests.list({ since: 'nobody' })))[0]).toBe(409);
});

test('a query value that is given twice is refused', async () => {
  const { call, adminKey } = testSachet();
  const headers = { authorization: `Bearer ${adminKey}` };
  const answer = await call('GET', '/_admin/sandboxes/stage/requests?status=200&status=404', { headers });
  expect([answer.status, answer.body.details[0].field]).toEqual([400, 'status']);
});
