// What is kept of answers never outlives a change of what it was made from: a sandbox that is read after each change gives, in the end, the
// very bytes of one that is read for the first time.
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
const turn = (switches: Parameters<MadeSandbox['switches']['set']>[0]) =>
  named(JSON.stringify(switches), (it) => it.switches.set(switches));

const uuids = ['0b4f5b0e-5a1c-4c0e-9a39-0d7c6f0f6a11', '7d6e4c1a-9a52-4c25-8f7e-3f1f0a5b2c22'];

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
  turn({ label_expiry: { lifetime_seconds: 60 } }),
  turn({ label_expiry: { lifetime_seconds: 61 } }),
  turn({ label_expiry: { expire_issued: true } }),
  turn({ label_expiry: null }),
  named('a weight', (it, { fulfillment }) => it.records.fulfillments.update(fulfillment, { weight: 7 })),
  named('another weight', (it, { fulfillment }) => it.records.fulfillments.update(fulfillment, { weight: 8 })),
  named('a name', (it, { product }) => it.records.products.update(product, { product_name: 'Ä' })),
  named('a name like a secret', (it, { product }) => it.records.products.update(product, { product_name: 'token=x' })),
  named('inactive', (it, { product }) => it.records.products.update(product, { active: false })),
  ...uuids.map((uuid) =>
    named(`the status ${uuid}`, async (it) => {
      for (const { id } of (await it.records.fulfillment_statuses.list()).fulfillment_statuses)
        await it.records.fulfillment_statuses.update(id, {
          uuid: uuid.replace(/..$/, String(id.length).padStart(2, '0')),
        });
    }),
  ),
  named('lost', (it, { fulfillment }) => it.fulfillments.lose(fulfillment, { force: true })),
  named('reset', (it) => it.reset()),
  named('keep', (it) => it.snapshots.create({ name: 'kept' })),
  named('restore', (it) => it.snapshots.restore('kept')),
);

const made = () => createSachet({ randomSeed: 'kept', clock: '2026-03-01T00:00:00Z' });

async function idsOf(it: MadeSandbox): Promise<Ids> {
  const { fulfillments } = await it.records.fulfillments.list();
  const { products } = await it.records.products.list();
  const [product, fulfillment] = [products[0], fulfillments.at(-1)];
  if (!product || !fulfillment) throw new Error('the fixtures have products and fulfillments');
  return { product: product.id, fulfillment: fulfillment.id, order: fulfillment.order_id };
}

/** All that is answered, and the journal's own words about it, but for what is by chance. */
async function read(it: MadeSandbox, { fulfillment, order, product }: Ids): Promise<unknown> {
  const client = it.client();
  const one = [`/v2/products/${product}`, `/v2/fulfillments/${fulfillment}`, `/v2/orders/${order}/fulfillments`];
  // The page that is read first is read last, too: what is kept of it is what comes next.
  const page = '/v2/fulfillments?limit=2';
  const answers: unknown[] = [];
  for (const path of [page, '/v2/products', '/v2/fulfillments', ...one, page]) {
    const response = await client.get(path);
    const { 'sandbox-request-id': id, ...headers } = Object.fromEntries(response.headers);
    const { response: kept } = await it.requests.get(String(id));
    answers.push([path, response.status, headers, await response.text(), kept?.body]);
  }
  return answers;
}

/** A change that cannot be made now, as to bring back what is not kept, is none. */
const tried = (promise: Promise<unknown>) => promise.catch(() => undefined);

test('a sandbox that was read after every change answers as one that never was', async () => {
  const property = fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 6 }), async (all) => {
    await using warm = made();
    await using cold = made();
    const often = await warm.createSandbox({ name: 'same' });
    const once = await cold.createSandbox({ name: 'same' });
    const ids = await idsOf(once);
    for (const { run } of all) {
      await read(often, ids);
      await tried(run(often, ids));
      await tried(run(once, ids));
    }
    expect(await read(often, ids)).toEqual(await read(once, ids));
  });
  await fc.assert(property, { numRuns: 60 });
});

test('a sandbox that is made anew under its name signs its own labels', async () => {
  await using sachet = createSachet({ clock: '2026-03-01T00:00:00Z' });
  const urlIn = async () => {
    await using sandbox = await sachet.createSandbox({ name: 'same' });
    const { fulfillment } = await idsOf(sandbox);
    const answer = await sandbox.client().get(`/v2/fulfillments/${fulfillment}`);
    const url = (await answer.json()).fulfillment.label_url as string;
    return { url, status: (await sachet.fetch(url)).status };
  };
  const [first, second] = [await urlIn(), await urlIn()];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.url).not.toBe(first.url);
});

test('whoever asks under another host is given its URLs', async () => {
  await using sachet = createSachet({ clock: '2026-03-01T00:00:00Z', allowedHosts: ['one.example', 'two.example'] });
  const sandbox = await sachet.createSandbox();
  const headers = { 'content-type': 'application/json' };
  const { access_token } = await (
    await sandbox.fetch('/v2/authentication/token', { method: 'POST', headers, body: JSON.stringify(sandbox.login) })
  ).json();
  for (const host of ['one.example', 'two.example', 'one.example']) {
    const authorization = `Bearer ${access_token}`;
    const url = `http://${host}/sandboxes/${sandbox.name}/v2/fulfillments`;
    const answer = await sachet.fetch(url, { headers: { authorization } });
    const { fulfillments } = await answer.json();
    const hosts = fulfillments.map(({ label_url }: { label_url: string }) => new URL(label_url).host);
    expect(new Set(hosts)).toEqual(new Set([host]));
  }
});
