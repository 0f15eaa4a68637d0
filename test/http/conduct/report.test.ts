// The conduct report: each rule with a client that keeps it and one that breaks it, and when the report begins again.
import { expect, test } from 'vitest';
import { type ConductRuleId, conduct, conductRuleIds } from '../../../src/contract/control/conduct.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { orderLine, pouchOf, productId, products } from '../../support/order-requests.ts';
import { readAll } from '../../support/pages.ts';
import type { Answer } from '../../support/sachet.ts';
import { idOf, type Judged, judged, type Step, take } from './judged.ts';

/** Makes its calls; returns those that must be the evidence, if they are certain. */
type Client = (world: Judged) => Promise<readonly Answer[] | undefined>;

const page = '/v2/fulfillments?limit=2';
const inactive = { order_lines: [orderLine(pouchOf(products.inactive))] };
const get =
  (path = '/v2/products') =>
  ({ client }: Judged) =>
    client.get(path);
const order =
  (changes?: object) =>
  ({ order }: Judged) =>
    order(changes);
/** Steps without certain evidence. */
const takes =
  (...steps: Step[]): Client =>
  async (world) => {
    await take(world, steps);
    return undefined;
  };
/** Steps of which each call with a response of its own, not those by name, must be evidence. */
const proves =
  (...steps: Step[]): Client =>
  async (world) => {
    const evidence: Answer[] = [];
    for (const step of steps) {
      const result = typeof step === 'string' ? await take(world, step) : await step(world);
      if (result && (result as Partial<Answer>).headers) evidence.push(result as Answer);
    }
    return evidence;
  };
/** Downloads a label twice, with its first URL, which has expired, or with a new one. */
const downloads =
  (isFresh: boolean): Client =>
  async ({ client, sachet, elapse }) => {
    const kept = await labelUrlOf(client);
    await elapse(900_000);
    const rejected = await sachet.call('GET', kept);
    const again = await sachet.call('GET', isFresh ? await labelUrlOf(client) : kept);
    if (!isFresh) await labelUrlOf(client);
    return [rejected, again];
  };

const clients: { readonly [Id in ConductRuleId]: { readonly right: Client; readonly wrong: Client } } = {
  token_reuse: {
    right: takes('GET products, GET products, GET products'),
    wrong: takes('log in, GET products, log in, GET products'),
  },
  refresh_on_401: {
    right: takes('expire, GET products, renew, GET products'),
    wrong: proves('expire', get()),
  },
  no_dead_token: {
    right: proves('expire', get(), 'renew, GET products'),
    wrong: proves('expire', get(), get('/v2/fulfillments')),
  },
  retry_after: {
    right: proves('limit, order, 30 s', order()),
    wrong: proves('limit', order(), '29999 ms', order()),
  },
  backoff_on_500: {
    right: proves('3 × 500, GET products, 1 s', get(), '2 s', get(), '4 s', get()),
    wrong: proves('1 × 500', get(), get()),
  },
  cursor_to_the_end: {
    right: takes(({ client }) => readAll(client)),
    wrong: proves(get(page)),
  },
  cursor_opaque: {
    right: proves(async (world) => get(`${page}&cursor=${(await get(page)(world)).body.next_cursor}`)(world)),
    wrong: proves(get(`${page}&cursor=2`)),
  },
  fresh_label: { right: downloads(true), wrong: downloads(false) },
  no_double_submit: {
    right: takes('cut after_processing, order, GET orders'),
    wrong: takes('cut after_processing, order, order'),
  },
  needs_changes: {
    right: proves('inactive PAGs', order(), order({ order_lines: [orderLine(pouchOf(productId(2)))] })),
    wrong: proves('inactive PAGs', order(), order()),
  },
  no_refused_repeat: {
    right: proves(order(inactive), 'order'),
    wrong: proves(order(inactive), order(inactive)),
  },
  documented_fields: { right: takes('order'), wrong: proves(order({ gift: true })) },
};

test('all rules are reported in their order, and are not exercised at first', async () => {
  const { stage } = await judged();
  await stage.reset();
  const { rules } = await stage.report.get();
  expect(rules).toEqual(
    conductRuleIds.map((id) => ({ id, outcome: 'not_exercised', evidence: [], advice: `${conduct[id]}.` })),
  );
});

test.each(conductRuleIds)('%s passes for a client that keeps it', async (id) => {
  const world = await judged();
  const expected = await clients[id].right(world);
  const { outcome, advice, evidence } = await world.ruled(id);
  expect([outcome, advice]).toEqual(['pass', expect.stringMatching(/^[A-Z][^;]+\.$/)]);
  expect(evidence).toEqual(expected ? expected.map(idOf) : [expect.anything(), ...evidence.slice(1)]);
});

test.each(conductRuleIds)('%s fails for a client that breaks it, until the journal is emptied', async (id) => {
  const world = await judged();
  for (const empty of [() => world.stage.reset(), () => world.stage.requests.clear()]) {
    const expected = await clients[id].wrong(world);
    const { outcome, advice, evidence } = await world.ruled(id);
    expect([outcome, advice]).toEqual(['fail', expect.stringMatching(/^The client [^;]+\. [A-Z].+\.$/)]);
    expect(evidence).toEqual(expected ? expected.map(idOf) : [expect.anything(), ...evidence.slice(1)]);
    for (const request of evidence) expect((await world.stage.requests.get(request)).id).toBe(request);
    await empty();
    expect(await world.ruled(id)).toMatchObject({ outcome: 'not_exercised', evidence: [] });
  }
});

test('a report is of one sandbox, and is kept when a snapshot is restored', async () => {
  const world = await judged();
  await world.stage.snapshots.create({ name: 'base' });
  await clients.documented_fields.wrong(world);
  await world.stage.snapshots.restore('base');
  expect(await world.outcome('documented_fields')).toBe('fail');
  await world.sachet.control.create({ name: 'w7' });
  const { rules } = await world.sachet.control.sandbox('w7').report.get();
  expect(new Set(rules.map(({ outcome }) => outcome))).toEqual(new Set(['not_exercised']));
});

test('names of fields are printable in the advice, and no secret is in it', async () => {
  const world = await judged({ assumptions: { unknown_fields: 'ignore' } });
  const { token } = world.client;
  const escaped = Array.from(token, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  await world.order({ ['x\n\u001b[31m\u202e"'.repeat(100)]: 1, [token]: 1 });
  await world.client.get(`/v2/fulfillments?limit=100&${escaped}=1`);
  const { advice } = await world.ruled('documented_fields');
  expect(advice).toMatch(/^[^\p{C}]{20,400}$/u);
  for (const secret of [token, token.split('.')[2] ?? '', 'sachet-demo']) expect(advice).not.toContain(secret);
});
