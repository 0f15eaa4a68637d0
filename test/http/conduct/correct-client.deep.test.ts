// A correct client is never accused, whatever a tester does to it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SandboxControl } from '../../../src/client/sandbox-control.ts';
import type { Choices } from '../../../src/contract/assumptions.ts';
import type { OperationId } from '../../../src/contract/operations.ts';
import type { FaultSent, SwitchesSent } from '../../support/bent.ts';
import { fulfillmentId, lineOf, pouchOf, products, someAddress } from '../../support/order-requests.ts';
import { fixtures } from '../../support/sachet.ts';
import { correctClients } from '../correct-clients.ts';
import { type CorrectClient, NoEntry, virtualWorld } from './correct-client.ts';

const orderFor = (name: string, product: string) => ({
  consumer: { first_name: name, last_name: 'Doe' },
  shipping_address: someAddress,
  order_lines: [lineOf(pouchOf(product))],
});

/** A task for a client, with a name for the report of a failure. A task that was given up can be continued. */
type Task = readonly [what: string, start: (client: CorrectClient, name: string) => () => Promise<unknown>];

const call = (method: string, path: string): Task => [`${method} ${path}`, (client) => () => client.call(method, path)];
const order = (product: string): Task => [
  `order ${product}`,
  (client, name) => {
    const corrected = product === products.good ? undefined : orderFor(name, products.good);
    const wanted = { name, body: orderFor(name, product), corrected };
    return () => client.order(wanted);
  },
];
const read = (limit: number): Task => [
  `read by ${limit}`,
  (client) => {
    const list = { path: `/v2/fulfillments?limit=${limit}` };
    return () => client.read(list);
  },
];
const label = (n: number): Task => [`label ${n}`, (client) => () => client.label(fulfillmentId(n))];
const tasks = fc.constantFrom<Task[]>(
  ...[call('GET', '/v2/products'), call('GET', '/v2/orders'), call('HEAD', '/v2/products')],
  ...[order(products.good), order(products.good), order(products.inactive), order(products.discontinued)],
  ...[read(5), read(17), label(1), label(2)],
);

const operations: readonly OperationId[] = [
  ...(['authentication.token', 'authentication.refresh', 'products.list', 'orders.create', 'orders.list'] as const),
  ...(['fulfillments.list', 'fulfillments.get'] as const),
];
const operation = fc.constantFrom(...operations).map((one) => ({ operation: one }));
const match = fc.oneof(fc.constant(undefined), operation);
const few = fc.integer({ min: 1, max: 4 });
const seconds = fc.constantFrom(1, 7, 60);

const switches: fc.Arbitrary<SwitchesSent> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom<SwitchesSent[]>(
      { token_expiry: { expire_issued: true } },
      // Longer than any wait: a token that expires while its call waits would never be used.
      { token_expiry: { lifetime_seconds: 90 } },
      { inactive_pags: { all: true } },
      { label_expiry: { expire_issued: true } },
      { label_expiry: { lifetime_seconds: 1 } },
      { missing_permission: { permissions: ['orders:write'] } },
      { missing_permission: { permissions: ['orders:read', 'fulfillments:read'] } },
      { latency: { milliseconds: 1 } },
      { maintenance: { for_seconds: 40 } },
      { rate_limit: { limit: 2, window_seconds: 7, retry_after: 1 } },
    ),
  },
  fc.record({ burst: few, retry_after: seconds, match }).map((rate_limit) => ({ rate_limit })),
  fc.record({ for_seconds: seconds, retry_after: seconds, match }).map((rate_limit) => ({ rate_limit })),
  fc.record({ burst: few, match }).map((server_error) => ({ server_error })),
  fc
    .record({ drop: fc.constantFrom('before_processing', 'after_processing', 'mid_body'), burst: few, match })
    .map((connection) => ({ connection })),
);

const fault: fc.Arbitrary<FaultSent> = fc.record(
  { status: fc.constantFrom(400, 401, 403, 404, 422, 429, 500), times: few, after: few, match: operation },
  { requiredKeys: ['status', 'times'] },
);

/** All but slow-service, which really waits. */
const scenario = fc.constantFrom(...Object.keys(correctClients).filter((name) => name !== 'slow-service'));

const demo = fixtures.users.find(({ username }) => username === 'demo')?.id ?? '';
type Disturbance = readonly [what: string, run: (stage: SandboxControl) => Promise<unknown>];
const disturbance = <T>(
  what: string,
  drawn: fc.Arbitrary<T>,
  run: (stage: SandboxControl, value: T) => Promise<unknown>,
) => drawn.map((value): Disturbance => [`${what} ${JSON.stringify(value)}`, (stage) => run(stage, value)]);

/** What a tester may do at any time. */
const atAnyTime = fc.oneof(
  { weight: 6, arbitrary: disturbance('switches', switches, (stage, sent) => stage.switches.set(sent)) },
  { weight: 4, arbitrary: disturbance('fault', fault, (stage, sent) => stage.faults.create(sent)) },
  disturbance('apply', scenario, (stage, name) => stage.scenarios.apply(name)),
  disturbance('take back', scenario, (stage, name) => stage.scenarios.take_back(name).catch(() => undefined)),
  disturbance('advance', fc.constantFrom(15, 900, 86_400, 31 * 86_400), (stage, by) =>
    stage.clock.advance({ seconds: by }),
  ),
  disturbance('user active', fc.boolean(), (stage, active) => stage.records.users.update(demo, { active })),
  disturbance('assume', fc.constantFrom('newest_first', 'oldest_first'), (stage, list_order) =>
    stage.assumptions.set({ list_order, unknown_fields: 'ignore' }),
  ),
  disturbance('clear', fc.constant('requests'), (stage) => stage.requests.clear()),
  disturbance('reset', fc.constant('all'), (stage) => stage.reset()),
);

/** Disturbances between two rounds of calls. During a pause of a client, the clock is never set back. */
const inBetween = fc.oneof(
  { weight: 8, arbitrary: atAnyTime },
  disturbance('set back', fc.constantFrom(1, 3600, 86_400), async (stage, by) => {
    const { now } = await stage.clock.get();
    await stage.clock.set({ now: new Date(Date.parse(now) - by * 1000).toISOString() });
  }),
  disturbance('restore', fc.constant('base'), (stage) => stage.snapshots.restore('base').catch(() => undefined)),
  disturbance('frozen', fc.boolean(), (stage, frozen) => stage.clock.set({ frozen })),
);

/** Ends all overrides. */
async function undisturb(stage: SandboxControl): Promise<void> {
  for (const { name, applied_at } of (await stage.scenarios.list()).scenarios)
    if (applied_at) await stage.scenarios.take_back(name);
  await stage.switches.clear();
  for (const { id } of (await stage.faults.list()).faults) await stage.faults.delete(id);
  await stage.records.users.update(demo, { active: true });
}

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

/** So many microtasks, or turns of the event loop. */
const delay = fc.record({ steps: fc.nat(30), turns: fc.constantFrom(0, 0, 1, 5) });
async function passed({ steps, turns }: { readonly steps: number; readonly turns: number }): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  for (let step = 0; step < steps; step += 1) await undefined;
}

const round = fc.record({
  before: fc.array(inBetween, { maxLength: 3 }),
  meanwhile: fc.array(fc.record({ disturbance: atAnyTime, delay }), { maxLength: 3 }),
  work: fc.array(fc.record({ task: tasks, user: fc.constantFrom(0, 0, 1), delay }), { minLength: 1, maxLength: 6 }),
});

// Runs with many pauses take long.
test('no rule fails for a correct client once it has finished its work', { timeout: 600_000 }, async () => {
  const exercised = new Set<string>();
  const rounds = fc.array(round, { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(choices, rounds, async (assumptions, all) => {
    const { stage, time, client } = virtualWorld(assumptions);
    await stage.snapshots.create({ name: 'base' });
    const clients = ['demo', 'read-only'].map((username) => client(username));
    const unfinished: (() => Promise<unknown>)[] = [];
    let names = 0;
    for (const { before, meanwhile, work } of all) {
      for (const [, run] of before) await run(stage);
      const disturbed = meanwhile.map((one) => passed(one.delay).then(() => one.disturbance[1](stage)));
      const worked = work.map(async ({ task, user, delay: before }) => {
        await passed(before);
        names += 1;
        const attempt = task[1](clients[user] as CorrectClient, `Name ${names}`);
        await attempt().catch((error: unknown) => {
          if (!(error instanceof NoEntry)) throw error;
          unfinished.push(attempt);
        });
      });
      await time.until([...disturbed, ...worked]);
    }
    await undisturb(stage);
    await time.until(unfinished.map((attempt) => attempt()));
    const { rules } = await stage.report.get();
    for (const { id, outcome, advice } of rules) {
      expect(outcome, `${id}: ${advice}`).not.toBe('fail');
      if (outcome === 'pass') exercised.add(id);
    }
  });
  await fc.assert(property, { numRuns: 20 });
  expect(exercised.size).toBeGreaterThanOrEqual(8);
});
