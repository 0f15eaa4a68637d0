// A right client is never accused: whatever a tester does to it, and however many calls it makes side by side.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Choices } from '../../../src/contract/assumptions.ts';
import { type Choice, type CorrectClient, NoEntry, type Wanted } from '../../support/conduct/correct-client.ts';
import { atAnyTime, inBetween, undisturbed } from '../../support/conduct/disturbances.ts';
import { livedIn, type World } from '../../support/conduct/world.ts';
import { fulfillmentId, lineOf, pouchOf, productId, products, someAddress } from '../../support/order-requests.ts';

/** What somebody wants of a client; it can be gone on with where it was given up. */
interface Wish {
  readonly what: string;
  readonly run: (client: CorrectClient, name: string) => () => Promise<unknown>;
}

const wish = <T>(what: string, arbitrary: fc.Arbitrary<T>, run: (drawn: T) => Wish['run']): fc.Arbitrary<Wish> =>
  arbitrary.map((drawn) => ({ what: `${what} ${JSON.stringify(drawn) ?? ''}`, run: run(drawn) }));

const orderFor = (name: string, product: string) => ({
  consumer: { first_name: name, last_name: 'Doe' },
  shipping_address: someAddress,
  order_lines: [lineOf(pouchOf(product))],
});

const ordering = (client: CorrectClient, order: Wanted) => () => client.order(order);
const choice = (path: string, limit: number) => (client: CorrectClient) => {
  const list: Choice = { path: `${path}?limit=${limit}` };
  return () => client.read(list);
};
const wishes = fc.oneof(
  wish(
    'call',
    fc.constantFrom('/v2/products', '/v2/orders', `/v2/products/${productId(1)}`),
    (path) => (client) => () => client.call('GET', path),
  ),
  wish(
    'head',
    fc.constantFrom('/v2/products', '/v2/fulfillments?limit=2'),
    (path) => (client) => () => client.call('HEAD', path),
  ),
  {
    weight: 3,
    arbitrary: wish(
      'order',
      fc.constant(products.good),
      (product) => (client, name) => ordering(client, { name, body: orderFor(name, product) }),
    ),
  },
  wish(
    'refused order',
    fc.constantFrom(products.inactive, products.discontinued),
    (product) => (client, name) =>
      ordering(client, { name, body: orderFor(name, product), mended: orderFor(name, products.good) }),
  ),
  { weight: 2, arbitrary: wish('read', fc.constantFrom(5, 17), (limit) => choice('/v2/fulfillments', limit)) },
  {
    weight: 2,
    arbitrary: wish('label', fc.constantFrom(1, 2), (n) => (client) => () => client.label(fulfillmentId(n))),
  },
);

const choices: fc.Arbitrary<Partial<Choices>> = fc.record(
  {
    refresh_token_lifetime: fc.constantFrom('30d', '24h', 'never', 'single_use'),
    bad_credentials: fc.constantFrom('401', '400', '403'),
    bad_refresh_token: fc.constantFrom('401', '400'),
    order_created_status: fc.constantFrom('201', '200'),
    order_endpoints: fc.constantFrom('assumed', 'assumed', 'absent'),
    next_cursor: fc.constantFrom('body', 'meta', 'link_header', 'header'),
    unknown_fields: fc.constantFrom('reject', 'ignore'),
    validation_report: fc.constantFrom('all', 'first'),
    malformed_parameter: fc.constantFrom('400', '422'),
    rate_limit: fc.constantFrom('off', 'off', '100/60s'),
  },
  { requiredKeys: [] },
);

/** After so many steps of the queue, or turns of the event loop, so that things happen at all times. */
const delay = fc.record({ steps: fc.nat(30), turns: fc.constantFrom(0, 0, 1, 5) });
async function passed({ steps, turns }: { readonly steps: number; readonly turns: number }): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  for (let step = 0; step < steps; step += 1) await undefined;
}

const round = fc.record({
  before: fc.array(inBetween, { maxLength: 3 }),
  beside: fc.array(fc.record({ disturbance: atAnyTime, delay }), { maxLength: 3 }),
  wishes: fc.array(fc.record({ wish: wishes, user: fc.constantFrom(0, 0, 1), delay }), { minLength: 1, maxLength: 6 }),
});
const lives = fc.record({ choices, rounds: fc.array(round, { minLength: 1, maxLength: 4 }) });
type Round = typeof round extends fc.Arbitrary<infer Drawn> ? Drawn : never;

class Lives {
  readonly #world: World;
  readonly #clients: readonly CorrectClient[];
  readonly #unfinished: (() => Promise<unknown>)[] = [];
  #names = 0;

  constructor(world: World) {
    this.#world = world;
    this.#clients = ['demo', 'read-only'].map((username) => world.client(username));
  }

  async live({ before, beside, wishes }: Round): Promise<void> {
    const { stage, time } = this.#world;
    for (const { run } of before) await run(stage);
    const disturbed = beside.map(({ disturbance, delay }) => passed(delay).then(() => disturbance.run(stage)));
    await time.until([...disturbed, ...wishes.map((one) => passed(one.delay).then(() => this.#fulfil(one)))]);
  }

  /** Does what is left to do. */
  async finish(): Promise<void> {
    const { stage, time } = this.#world;
    await undisturbed(stage);
    await time.until(this.#unfinished.map((attempt) => attempt()));
  }

  async #fulfil({ wish, user }: Round['wishes'][number]): Promise<void> {
    const client = this.#clients[user];
    this.#names += 1;
    const attempt = client && wish.run(client, `Name ${this.#names}`);
    await attempt?.().catch((error: unknown) => {
      if (!(error instanceof NoEntry)) throw error;
      this.#unfinished.push(attempt);
    });
  }
}

test('whatever happens to a correct client, no rule fails once it has done what it owes', async () => {
  const exercised = new Set<string>();
  const property = fc.asyncProperty(lives, async ({ choices, rounds }) => {
    const world = livedIn(choices);
    await world.stage.snapshots.create({ name: 'base' });
    const lived = new Lives(world);
    for (const one of rounds) await lived.live(one);
    await lived.finish();
    const { rules } = await world.stage.report.get();
    for (const { id, outcome, advice } of rules) {
      expect(outcome, `${id}: ${advice}`).not.toBe('fail');
      if (outcome === 'pass') exercised.add(id);
    }
  });
  await fc.assert(property, { numRuns: 20, seed: 7 });
  expect(exercised.size).toBeGreaterThanOrEqual(8);
});
