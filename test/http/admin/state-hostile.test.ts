// State documents that lie: refused whole, with the place, and nothing is changed.
import { expect, test } from 'vitest';
import { ControlError } from '../../../src/client/control-client.ts';
import type { SandboxControl } from '../../../src/client/sandbox-control.ts';
import { testSachet } from '../../support/sachet.ts';

type Document = Awaited<ReturnType<SandboxControl['state']['get']>>;
const most = Number.MAX_SAFE_INTEGER;
const override = {
  id: 'a',
  name: 'a',
  kind: 'fault',
  turn: 'fault',
  scenario: null,
  hidden: false,
  settings: { status: 500 },
  made_at: 0,
  seen: 0,
  hits: 0,
  rolls: 0,
  window: null,
  generation: null,
};
const layer = { name: 'one', applied_at: 0, assumptions: {}, records: [] };
const clock = { now: 0, at: 0, rate: 1, frozen: false };

const lies: readonly (readonly [what: string, lie: (honest: Document) => object, place: string])[] = [
  [
    'a counter that cannot count up',
    ({ counters }) => ({ counters: { ...counters, 'ids of orders': most } }),
    'counters',
  ],
  [
    'a sequence that cannot count up',
    ({ counters }) => ({ counters: { ...counters, orders: most } }),
    'counters.orders',
  ],
  [
    'more counters than there are purposes',
    () => ({ counters: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`c${n}`, 1])) }),
    'counters',
  ],
  ['generations that cannot rise', () => ({ generations: { tokens: most, labels: 0 } }), 'generations.tokens'],
  ['a clock before 1970', () => ({ clock: { ...clock, now: -1 } }), 'clock.now'],
  [
    'a name that no header can carry',
    () => ({ levers: [{ ...override, id: 'a\nb', name: 'a\nb' }] }),
    'levers[0].name',
  ],
  [
    'a fault with the name of a switch',
    () => ({ levers: [{ ...override, id: 'rate_limit', name: 'rate_limit' }] }),
    'levers[0].name',
  ],
  [
    'a lever of a scenario that is not applied',
    ({ counters }) => ({
      levers: [{ ...override, id: 'a@nosuch', scenario: 'nosuch' }],
      counters: { ...counters, levers: 1 },
    }),
    'levers[0].scenario',
  ],
  [
    'more scenarios than may be applied',
    () => ({ scenarios: Array.from({ length: 201 }, (_, n) => ({ ...layer, name: `s${n}` })) }),
    'scenarios',
  ],
  ['a scenario that the server lacks', () => ({ scenarios: [{ ...layer, name: 'no-pga' }] }), 'scenarios[0].name'],
  ['a scenario applied twice', () => ({ scenarios: [layer, layer] }), 'scenarios[1].name'],
];

test.each(lies)('%s', async (_, lie, place) => {
  const stage = testSachet().control.sandbox('stage');
  const honest = await stage.state.get();
  const error = await stage.state.put({ ...honest, ...lie(honest) } as Document).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ControlError);
  expect([(error as ControlError).status, (error as ControlError).message]).toEqual([
    422,
    expect.stringContaining(place),
  ]);
  expect(await stage.state.get()).toEqual(honest);
});

test('a clock that would run before 1970 stands at its beginning', async () => {
  const stage = testSachet().control.sandbox('stage');
  const honest = await stage.state.get();
  await stage.state.put({ ...honest, clock: { now: 0, at: 253_402_300_799_999, rate: 1_000_000, frozen: false } });
  expect((await stage.clock.get()).now).toBe('1970-01-01T00:00:00.000Z');
  expect((await stage.state.get()).exported_at).toBe('1970-01-01T00:00:00.000Z');
});

test('a scenario that is taken back gives no username back that another user has by now', async () => {
  const [demo] = (await testSachet().control.sandbox('stage').records.users.list()).users;
  if (!demo) throw new Error('the fixtures have users');
  const rename = {
    name: 'rename',
    intent: 'x',
    right_client: 'x',
    data: { users: [{ id: demo.id, username: 'renamed' }] },
  };
  const stage = testSachet({ scenarios: [rename] } as never).control.sandbox('stage');
  await stage.scenarios.apply('rename');
  const { id: _, ...fields } = demo;
  await stage.records.users.create({ ...fields, username: 'demo' });
  await stage.scenarios.take_back('rename');
  const names = (await stage.records.users.list()).users.map(({ username }) => username);
  expect(new Set(names).size).toBe(names.length);
  await stage.state.put(await stage.state.get());
});
