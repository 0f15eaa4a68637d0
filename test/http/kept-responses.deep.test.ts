// Cached parts of responses never outlive a change of what they were made from: a sandbox that is read after each change answers, byte for
// byte, like one that is read for the first time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSachet, type MadeSandbox } from '../../src/index.ts';

interface Ids {
  readonly product: string;
  readonly fulfillment: string;
  readonly order: string;
}
interface Change {
  readonly run: (it: MadeSandbox, ids: Ids) => Promise<unknown>;
  readonly toString: () => string;
}

const named = (name: string, run: Change['run']): Change => ({ run, toString: () => name });
const assume = (choices: Parameters<MadeSandbox['assumptions']['set']>[0]) =>
  named(JSON.stringify(choices), (it) => it.assumptions.set(choices));
const set = (switches: Parameters<MadeSandbox['switches']['set']>[0]) =>
  named(JSON.stringify(switches), (it) => it.switches.set(switches));
const weight = (value: number) =>
  named(`weight ${value}`, (it, { fulfillment }) => it.records.fulfillments.update(fulfillment, { weight: value }));
const product = (changes: { readonly product_name?: string; readonly active?: boolean }) =>
  named(JSON.stringify(changes), (it, ids) => it.records.products.update(ids.product, changes));
const statusIds = (uuid: string) =>
  named(`status ids like ${uuid}`, async (it) => {
    for (const { id } of (await it.records.fulfillment_statuses.list()).fulfillment_statuses)
      await it.records.fulfillment_statuses.update(id, { uuid: uuid + String(id.length).padStart(2, '0') });
  });

const changes = fc.constantFrom(
  assume({ absent_values: 'omitted' }),
  assume({ absent_values: null }),
  assume({ status_id: 'uuid' }),
  assume({ status_id: null }),
  assume({ next_cursor: 'meta' }),
  assume({ next_cursor: 'link_header' }),
  assume({ list_order: 'oldest_first' }),
  assume({ product_list: 'active_only' }),
  named('a moment passes', (it) => it.clock.advance({ seconds: 0.25 })),
  named('a second passes', (it) => it.clock.advance({ seconds: 1 })),
  named('the clock is set', (it) => it.clock.set({ now: '2027-01-01T00:00:00Z' })),
  set({ label_expiry: { lifetime_seconds: 60 } }),
  set({ label_expiry: { lifetime_seconds: 61 } }),
  set({ label_expiry: { expire_issued: true } }),
  set({ label_expiry: null }),
  weight(7),
  weight(8),
  product({ product_name: 'Ä' }),
  product({ product_name: 'token=x' }),
  product({ active: false }),
  statusIds('0b4f5b0e-5a1c-4c0e-9a39-0d7c6f0f6a'),
  statusIds('7d6e4c1a-9a52-4c25-8f7e-3f1f0a5b2c'),
  named('lost', (it, { fulfillment }) => it.fulfillments.lose(fulfillment, { force: true })),
  named('reset', (it) => it.reset()),
  named('snapshot', (it) => it.snapshots.create({ name: 'kept' })),
  named('restore', (it) => it.snapshots.restore('kept')),
);

async function idsOf(it: MadeSandbox): Promise<Ids> {
  const { fulfillments } = await it.records.fulfillments.list();
  const { products } = await it.records.products.list();
  const [first, fulfillment] = [products[0], fulfillments.at(-1)];
  if (!first || !fulfillment) throw new Error('the fixtures have products and fulfillments');
  return { product: first.id, fulfillment: fulfillment.id, order: fulfillment.order_id };
}

/** All responses, and what the journal has of them, except for random ids. */
async function read(it: MadeSandbox, ids: Ids): Promise<unknown> {
  const client = it.client();
  const single = [`/v2/products/${ids.product}`, `/v2/fulfillments/${ids.fulfillment}`];
  // The first page is read again at the end: the next read begins with what is cached of it.
  const page = '/v2/fulfillments?limit=2';
  const answers: unknown[] = [];
  for (const path of [
    page,
    '/v2/products',
    '/v2/fulfillments',
    ...single,
    `/v2/orders/${ids.order}/fulfillments`,
    page,
  ]) {
    const response = await client.get(path);
    const { 'sandbox-request-id': id, ...headers } = Object.fromEntries(response.headers);
    const { response: kept } = await it.requests.get(String(id));
    answers.push([path, response.status, headers, await response.text(), kept?.body]);
  }
  return answers;
}

test('a sandbox that was read after every change answers like one that never was', async () => {
  const create = () => createSachet({ randomSeed: 'kept', clock: '2026-03-01T00:00:00Z' });
  const property = fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 6 }), async (all) => {
    await using warm = create();
    await using cold = create();
    const often = await warm.createSandbox({ name: 'same' });
    const once = await cold.createSandbox({ name: 'same' });
    const ids = await idsOf(once);
    for (const { run } of all) {
      await read(often, ids);
      // A restore without a snapshot fails in both.
      await run(often, ids).catch(() => undefined);
      await run(once, ids).catch(() => undefined);
    }
    expect(await read(often, ids)).toEqual(await read(once, ids));
  });
  await fc.assert(property, { numRuns: 60 });
});

test('a sandbox that is created again under its name signs its own labels', async () => {
  await using sachet = createSachet({ clock: '2026-03-01T00:00:00Z' });
  const labelUrl = async () => {
    await using sandbox = await sachet.createSandbox({ name: 'same' });
    const answer = await sandbox.client().get(`/v2/fulfillments/${(await idsOf(sandbox)).fulfillment}`);
    const url = (await answer.json()).fulfillment.label_url as string;
    expect((await sachet.fetch(url)).status).toBe(200);
    return url;
  };
  expect(await labelUrl()).not.toBe(await labelUrl());
});
