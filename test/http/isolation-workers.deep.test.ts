// A parallel test worker is isolated by its login alone: fifty at once on one Sachet, each with its own overrides and resets, see nothing of
// each other.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import { products, someOrder } from '../support/order-requests.ts';
import { type TestSachet, testSachet } from '../support/sachet.ts';

const workers = 50;
const roundsEach = 4;

/** The status of an order, of its rejection, or a broken connection. */
type Seen = number | 'Pending' | 'Needs Changes' | 'broken';

interface Override {
  readonly apply: (control: SandboxControl) => Promise<unknown>;
  /** The result of each attempt before the one that succeeds. */
  readonly seen: readonly Seen[];
  /** Done before the attempt that succeeds. */
  readonly end?: (control: SandboxControl) => Promise<unknown>;
  /** Orders that these attempts placed all the same. */
  readonly placed?: number;
}

const times = <T>(count: number, what: T): T[] => Array.from({ length: count }, () => what);
const match = { operation: 'orders.create' } as const;
const set =
  (switches: Parameters<SandboxControl['switches']['set']>[0]): Override['apply'] =>
  (control) =>
    control.switches.set(switches);
const clear: Override['end'] = (control) => control.switches.clear();
const advance = (seconds: number) => (control: SandboxControl) => control.clock.advance({ seconds });
const active = (is: boolean) => (control: SandboxControl) =>
  control.records.products.update(products.good, { active: is });

const overrides: readonly ((n: number) => Override)[] = [
  () => ({ apply: async () => undefined, seen: [] }),
  (n) => ({ apply: set({ rate_limit: { burst: n, match } }), seen: times(n, 429) }),
  (n) => ({ apply: set({ rate_limit: { for_seconds: n * 60, match } }), seen: times(n, 429), end: advance(n * 60) }),
  (n) => ({ apply: set({ server_error: { burst: n, match } }), seen: times(n, 500) }),
  (n) => ({ apply: set({ maintenance: { for_seconds: n } }), seen: times(n, 500), end: advance(n) }),
  (n) => ({ apply: set({ missing_permission: { permissions: ['orders:write'] } }), seen: times(n, 403), end: clear }),
  (n) => ({ apply: set({ inactive_pags: { all: true } }), seen: times(n, 'Needs Changes'), end: clear, placed: n }),
  (n) => ({ apply: active(false), seen: times(n, 422), end: active(true) }),
  () => ({ apply: set({ token_expiry: { expire_issued: true } }), seen: [401] }),
  () => ({ apply: advance(86_400), seen: [401] }),
  (n) => ({ apply: (control) => control.faults.create({ status: 404, times: n, match }), seen: times(n, 404) }),
  (n) => ({ apply: set({ connection: { drop: 'before_processing', burst: n, match } }), seen: times(n, 'broken') }),
  (n) => ({
    apply: set({ connection: { drop: 'after_processing', burst: n, match } }),
    seen: times(n, 'broken'),
    placed: n,
  }),
];

/** From a reset to the next: a worker sees its own overrides, orders and calls, each exactly once. */
async function round(sachet: TestSachet, name: string, mark: string, { apply, seen, end, placed = 0 }: Override) {
  const control = sachet.control.sandbox(name);
  await control.reset();
  let calls = 0;
  let client = sachet.client('');
  const logIn = async () => {
    calls += 1;
    client = await sachet.login(`demo+${name}`);
  };
  const order = async (): Promise<Seen> => {
    calls += 1;
    const sent = someOrder({ consumer: { first_name: 'Ada', last_name: mark } });
    const answer = await client.post('/v2/orders', sent).catch(() => undefined);
    return answer?.body.order?.status ?? answer?.status ?? 'broken';
  };
  await logIn();
  await apply(control);
  const found: Seen[] = [];
  for (const _ of seen) {
    found.push(await order());
    if (found.at(-1) === 401) await logIn();
  }
  await end?.(control);
  expect([...found, await order()], mark).toEqual([...seen, 'Pending']);

  calls += 1;
  const { orders } = (await client.get('/v2/orders?limit=100')).body;
  const marks: string[] = orders.map(({ consumer }: { consumer: { last_name?: string } }) => consumer.last_name ?? '');
  expect(marks.filter((one) => one.startsWith('worker '))).toEqual(times(placed + 1, mark));
  const { requests, dropped } = await control.requests.list();
  expect([requests.length, dropped], mark).toEqual([calls, 0]);
}

test('fifty workers at once, in 200 rounds with their own overrides and resets, see nothing of each other', async () => {
  const drawn = fc.tuple(fc.nat(overrides.length - 1), fc.integer({ min: 1, max: 4 }));
  const rounds = fc.array(drawn, { minLength: workers * roundsEach, maxLength: workers * roundsEach });
  const property = fc.asyncProperty(rounds, async (all) => {
    const sachet = testSachet();
    const stage = sachet.control.sandbox('stage');
    const before = await stage.state.get();
    const work = async (number: number) => {
      await sachet.login(`demo+w${number}`);
      for (const [kind, n] of all.slice(number * roundsEach, (number + 1) * roundsEach)) {
        const override = overrides[kind]?.(n);
        if (override) await round(sachet, `w${number}`, `worker ${number}, override ${kind} ${n}`, override);
      }
    };
    await Promise.all(Array.from({ length: workers }, (_, number) => work(number)));
    expect(await stage.state.get()).toEqual(before);
    expect((await stage.requests.list()).requests).toEqual([]);
    expect((await sachet.control.list()).sandboxes).toHaveLength(workers + 2);
  });
  await fc.assert(property, { numRuns: 1, endOnFailure: true });
});
