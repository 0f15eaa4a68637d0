// What a tester does to a sandbox, before clients call and while they do: switches, faults, scenarios, readings, the clock.
import fc from 'fast-check';
import type { SandboxControl } from '../../../src/client/sandbox-control.ts';
import type { OperationId } from '../../../src/contract/operations.ts';
import type { FaultSent, SwitchesSent } from '../bent.ts';
import { fixtures } from '../sachet.ts';

/** Done by a tester; it ends in itself. */
export interface Disturbance {
  readonly what: string;
  readonly run: (stage: SandboxControl) => Promise<unknown>;
}

const operations: readonly OperationId[] = [
  'authentication.token',
  'authentication.refresh',
  'products.list',
  'orders.create',
  'orders.list',
  'fulfillments.list',
  'fulfillments.get',
];
const match = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(...operations).map((operation) => ({ operation })),
);
const few = fc.integer({ min: 1, max: 4 });
const seconds = fc.constantFrom(1, 7, 60);

const switches: fc.Arbitrary<SwitchesSent> = fc.oneof(
  fc.constant({ token_expiry: { expire_issued: true } } as const),
  // Longer than any wait: a token that expires while its call waits would never be used.
  fc.constantFrom(90, 600).map((lifetime_seconds) => ({ token_expiry: { lifetime_seconds } })),
  fc.record({ burst: few, retry_after: seconds, match }).map((rate_limit) => ({ rate_limit })),
  fc
    .record({ limit: few, window_seconds: fc.constantFrom(1, 7), retry_after: fc.constant(1) })
    .map((rate_limit) => ({ rate_limit })),
  fc.record({ for_seconds: seconds, retry_after: seconds, match }).map((rate_limit) => ({ rate_limit })),
  fc.constant({ inactive_pags: { all: true } } as const),
  fc.constant({ label_expiry: { expire_issued: true } } as const),
  fc.constant({ label_expiry: { lifetime_seconds: 1 } }),
  fc.constantFrom('orders:write', 'orders:read', 'fulfillments:read').map((permission) => ({
    missing_permission: { permissions: [permission] },
  })) as fc.Arbitrary<SwitchesSent>,
  fc.record({ burst: few, match }).map((server_error) => ({ server_error })),
  fc.constantFrom(1, 3).map((milliseconds) => ({ latency: { milliseconds } })),
  fc
    .record({ drop: fc.constantFrom('before_processing', 'after_processing', 'mid_body'), burst: few, match })
    .map((connection) => ({ connection })),
  fc.constantFrom(3, 40).map((for_seconds) => ({ maintenance: { for_seconds } })),
);

const fault: fc.Arbitrary<FaultSent> = fc.record(
  {
    status: fc.constantFrom(400, 401, 403, 404, 422, 429, 500),
    times: fc.integer({ min: 1, max: 3 }),
    after: fc.integer({ min: 1, max: 2 }),
    match: fc.constantFrom(...operations).map((operation) => ({ operation })),
  },
  { requiredKeys: ['status', 'times'] },
);

/** All but the one that waits really. */
const scenarios = ['doorstep', 'inactive-pag', 'label-expiry', 'late-tracking', 'lost-answer', 'maintenance'] as const;
const others = ['missing-permission', 'no-pag', 'paging-under-change', 'rate-limit-burst', 'server-errors'] as const;
const scenario = fc.constantFrom(...scenarios, ...others, 'discontinued-product', 'token-expiry');

const demo = fixtures.users.find(({ username }) => username === 'demo')?.id ?? '';
const told = <T>(
  what: string,
  arbitrary: fc.Arbitrary<T>,
  run: (stage: SandboxControl, drawn: T) => Promise<unknown>,
) =>
  arbitrary.map(
    (drawn): Disturbance => ({ what: `${what} ${JSON.stringify(drawn)}`, run: (stage) => run(stage, drawn) }),
  );

/** What may happen at any time. */
export const atAnyTime: fc.Arbitrary<Disturbance> = fc.oneof(
  { weight: 6, arbitrary: told('switches', switches, (stage, sent) => stage.switches.set(sent)) },
  { weight: 4, arbitrary: told('fault', fault, (stage, sent) => stage.faults.create(sent)) },
  told('apply', scenario, (stage, name) => stage.scenarios.apply(name)),
  told('take back', scenario, (stage, name) => stage.scenarios.take_back(name).catch(() => undefined)),
  told('advance', fc.constantFrom(15, 900, 86_400, 31 * 86_400), (stage, by) => stage.clock.advance({ seconds: by })),
  told('user active', fc.boolean(), (stage, active) => stage.records.users.update(demo, { active })),
  told('unknown_fields', fc.constantFrom('ignore', 'reject'), (stage, unknown_fields) =>
    stage.assumptions.set({ unknown_fields }),
  ),
  told('list_order', fc.constantFrom('newest_first', 'oldest_first'), (stage, list_order) =>
    stage.assumptions.set({ list_order }),
  ),
  told('forget', fc.constant('the requests'), (stage) => stage.requests.clear()),
  told('reset', fc.constant('all'), (stage) => stage.reset()),
);

/** What happens while nobody calls: nobody can reckon with a clock that is set back in the middle of a pause. */
export const inBetween: fc.Arbitrary<Disturbance> = fc.oneof(
  { weight: 8, arbitrary: atAnyTime },
  told('set back', fc.constantFrom(1, 3600, 86_400), async (stage, by) => {
    const { now } = await stage.clock.get();
    await stage.clock.set({ now: new Date(Date.parse(now) - by * 1000).toISOString() });
  }),
  told('restore', fc.constant('base'), (stage) => stage.snapshots.restore('base').catch(() => undefined)),
  told('frozen', fc.boolean(), (stage, frozen) => stage.clock.set({ frozen })),
);

/** Nothing is bent any more, and whoever gave up may come in again. */
export async function undisturbed(stage: SandboxControl): Promise<void> {
  for (const { name, applied_at } of (await stage.scenarios.list()).scenarios)
    if (applied_at) await stage.scenarios.take_back(name);
  await stage.switches.clear();
  for (const { id } of (await stage.faults.list()).faults) await stage.faults.delete(id);
  await stage.records.users.update(demo, { active: true });
}
