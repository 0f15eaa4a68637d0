// A state document carries all that an export promises: imported anywhere, it is exported again the same; a faulty one changes nothing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ControlRefusal } from '../../src/contract/control/control-operation.ts';
import { type StateDocument, stateDocument } from '../../src/contract/control/state.ts';
import { parseFile } from '../../src/contract/fixtures.ts';
import { addFault, clearSwitches, patchAssumptions, setSwitches } from '../../src/sandbox/overrides.ts';
import { insertRecord, patchRecord, patchSingle, removeRecord } from '../../src/sandbox/records.ts';
import { applyScenario, revertScenario } from '../../src/sandbox/scenarios.ts';
import { exportState, importState } from '../../src/sandbox/state-document.ts';
import { advance } from '../../src/state/clock.ts';
import type { State } from '../../src/state/state.ts';
import { freshState, TestState, writing } from '../support/drafts.ts';
import { brandOfDemo } from '../support/fulfillment-rows.ts';
import { fulfillmentId, orderId } from '../support/order-requests.ts';
import { fixtures, noon, scenarios } from '../support/sachet.ts';

const { now } = writing;
const exported = (state: TestState): StateDocument => state.write((draft) => exportState(draft, now));

/** As it comes back over the wire, judged by its schema. */
function carried(document: unknown): StateDocument {
  const { data, faults } = parseFile(stateDocument, { name: 'state', content: JSON.parse(JSON.stringify(document)) });
  expect(faults).toBeUndefined();
  return data as StateDocument;
}

/** Something that a tester or a client does; what cannot be done is not. */
const mutations: readonly ((draft: State, n: number) => unknown)[] = [
  (draft) => insertRecord(draft, 'consumers', { brand_id: brandOfDemo, email: 'a@example.com' }, writing),
  (draft, n) => patchRecord(draft, 'orders', orderId(1 + (n % 20)), { status: 'Canceled' }, writing),
  (draft, n) => removeRecord(draft, 'fulfillments', fulfillmentId(1 + (n % 9)), writing),
  (draft, n) => patchSingle(draft, 'operator', { name: `operator ${n}` }),
  (draft, n) => patchSingle(draft, 'administration_times', { values: [`at ${n}`] }),
  (draft, n) => setSwitches(draft, { rate_limit: { burst: 1 + n }, latency: { milliseconds: n } }, null, now),
  (draft) => setSwitches(draft, { token_expiry: { expire_issued: true, lifetime_seconds: 60 } }, null, now),
  (draft) => clearSwitches(draft),
  (draft, n) => addFault(draft, { match: { path: '/v2/orders', body: { a: [n, null] } }, status: 500 }, null, now),
  (draft, n) => patchAssumptions(draft, n % 2 ? { profile: 'strict' } : { next_cursor: 'meta' }),
  (draft, n) => applyScenario(draft, scenarioAt(n), writing, now),
  (draft, n) => revertScenario(draft, scenarioAt(n).name, writing),
  (draft, n) => advance(draft, n * 1000),
  (draft, n) => draft.setValue('rate_window', { began_at: now, calls: n }),
  (draft) => draft.table('spent_refresh_tokens').insert({ id: `token ${draft.count('ids of tokens')}` }),
  (draft) => draft.count('ids of orders'),
];

function scenarioAt(n: number) {
  const scenario = scenarios[n % scenarios.length];
  if (!scenario) throw new Error('the shipped scenarios are some');
  return scenario;
}

const steps = fc.array(fc.tuple(fc.nat(mutations.length - 1), fc.nat(40)), { maxLength: 12 });

type Steps = readonly (readonly [mutation: number, n: number])[];

/** Takes these steps; refused ones leave the state as it was. */
function take(state: TestState, taken: Steps): TestState {
  for (const [index, n] of taken) {
    try {
      state.write((draft) => void mutations[index]?.(draft, n));
    } catch (error) {
      if (!(error instanceof ControlRefusal)) throw error;
    }
  }
  return state;
}

const stateAfter = (taken: Steps): TestState => take(new TestState(), taken);

test('a new sandbox is exported as its fixtures', () => {
  const { data, ...rest } = exported(new TestState());
  expect(data).toEqual(fixtures);
  const born = {
    sachet_state: 1,
    sandbox: 'stage',
    environment: 'stage',
    exported_at: noon,
    scenarios: [],
    levers: [],
  };
  expect(rest).toMatchObject(born);
  expect(rest).not.toHaveProperty('sequences');
});

test('export, import into another sandbox, export: the same bytes but for the name', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const document = exported(stateAfter(taken));
      const other = new TestState(freshState('other'));
      other.write((draft) => importState(draft, carried(document)));
      const again = exported(other);
      expect({ ...again, sandbox: 'stage' }).toEqual(document);
      expect(JSON.stringify({ ...again, sandbox: 'stage' })).toBe(JSON.stringify(document));
    }),
    { numRuns: 150 },
  );
});

test('a sandbox goes on with what was imported as the exported one would', () => {
  fc.assert(
    fc.property(steps, steps, (taken, after) => {
      const one = stateAfter(taken);
      const other = new TestState(freshState());
      other.write((draft) => importState(draft, carried(exported(one))));
      for (const state of [one, other]) take(state, after);
      expect(exported(other)).toEqual(exported(one));
    }),
    { numRuns: 50 },
  );
});

describe('an import', () => {
  const document = exported(
    stateAfter([
      [6, 0],
      [2, 0],
      [9, 0],
    ]),
  );

  test('leaves the sandbox its name, keys and snapshots, and begins a new life', () => {
    const state = new TestState(freshState('other'));
    state.write((draft) => draft.keep('base', now));
    const { initial } = state.state;
    const history = state.state.value('history');
    state.write((draft) => importState(draft, document));
    expect(state.state.initial.identity).toEqual(initial.identity);
    expect(state.state.value('history')).toEqual({ lives: history.lives + 1, generations: { tokens: 1, labels: 0 } });
    expect([...state.state.snapshots.keys()]).toEqual(['', 'base']);
  });

  test('puts the readings in force, those of its scenarios upon them', () => {
    const state = new TestState();
    const layer = { name: 'x', applied_at: now, assumptions: { list_order: 'oldest_first' }, records: [] } as const;
    state.write((draft) => importState(draft, { ...document, scenarios: [layer] }));
    expect(state.state.value('readings')).toMatchObject({ next_cursor: 'meta', list_order: 'oldest_first' });
    expect(state.state.value('chosen').list_order).not.toBe('oldest_first');
  });

  test('goes through as many scenarios as come', () => {
    const assumptions = { list_order: 'oldest_first' } as const;
    const layers = Array.from({ length: 160_000 }, (_, n) => ({
      name: `s${n}`,
      applied_at: now,
      assumptions,
      records: [],
    }));
    const state = new TestState();
    state.write((draft) => importState(draft, { ...document, scenarios: layers }));
    expect(state.state.value('readings')).toMatchObject({ next_cursor: 'meta', list_order: 'oldest_first' });
  });

  test('never lowers the highest generation', () => {
    const state = stateAfter([
      [6, 0],
      [6, 0],
      [6, 0],
    ]);
    state.write((draft) => importState(draft, document));
    const { state: after } = state;
    expect([after.value('generations').tokens, after.value('history').generations.tokens]).toEqual([1, 3]);
  });

  test('keeps the places in the lists', () => {
    expect(document.sequences?.fulfillments?.slice(0, 2)).toEqual([1, 2]);
    const state = new TestState();
    state.write((draft) => importState(draft, document));
    expect([...state.state.table('fulfillments').entries()][0]).toMatchObject([1, { id: fulfillmentId(2) }]);
  });
});

describe('a document that is not whole is refused, and nothing is written', () => {
  const document = exported(
    stateAfter([
      [6, 0],
      [14, 1],
      [2, 0],
    ]),
  );
  const { data, counters, levers, spent_refresh_tokens, sequences = {} } = document;
  const [override] = levers;
  const [account] = data.accounts;
  const [order] = data.orders;
  const [user] = data.users;
  if (!(override && account && user && order)) throw new Error('the document has them');
  const layer = { name: 'one', applied_at: now, assumptions: {}, records: [] };
  const manyLines = Array.from({ length: 20_000 }, (_, n) => ({ id: `line ${n % 19_999}`, pouches: [] }));
  test.each<[string, Partial<StateDocument>, string, RegExp]>([
    [
      'a line of an order twice, far from one another',
      { data: { ...data, orders: [{ ...order, id: 'x', order_lines: manyLines }] as never, fulfillments: [] } },
      'data.orders[0].order_lines[19999].id',
      /^found "line 0", expected an id not used before in the order$/,
    ],
    [
      'a scenario twice, far from one another',
      { scenarios: [layer, ...Array.from({ length: 20_000 }, (_, n) => ({ ...layer, name: `s${n}` })), layer] },
      'scenarios[20001].name',
      /^found "one", expected a scenario that is not listed before$/,
    ],
    [
      'a lever of a scenario that is not applied',
      { scenarios: [layer], levers: [{ ...override, scenario: 'two', id: `${override.name}@two` }] },
      'levers[0].scenario',
      /^found "two", expected the name of an applied scenario, or null$/,
    ],
    [
      'a broken reference',
      { data: { ...data, packs: [{ ...data.packs[0], brand_id: 'x' } as never] } },
      'data.packs[0].brand_id',
      /^found "x", expected the id of a record in brands$/,
    ],
    [
      'an id twice',
      { data: { ...data, accounts: [...data.accounts, account] } },
      `data.accounts[${data.accounts.length}].id`,
      /not used before in accounts/,
    ],
    [
      'a username twice',
      { data: { ...data, users: [...data.users, { ...user, id: 'x' }] }, counters: { ...counters, users: 99 } },
      `data.users[${data.users.length}].username`,
      /not used before/,
    ],
    [
      'too few sequence numbers',
      { sequences: { ...sequences, orders: [0] } },
      'sequences.orders',
      /^found 1 numbers, expected one for each row: \d+$/,
    ],
    [
      'sequence numbers that do not ascend',
      { sequences: { accounts: data.accounts.map(() => 1) } },
      'sequences.accounts[1]',
      /^found 1, expected a number greater than the previous one$/,
    ],
    [
      'a counter behind',
      { counters: { ...counters, orders: 1 } },
      'counters.orders',
      /^found 1, expected at least \d+/,
    ],
    [
      'a spent token twice',
      { spent_refresh_tokens: [...spent_refresh_tokens, ...spent_refresh_tokens] },
      'spent_refresh_tokens[1].id',
      /not used before/,
    ],
    [
      'a lever of a strange id',
      { levers: [{ ...override, id: 'x' }] },
      'levers[0].id',
      /^found "x", expected "token_expiry"$/,
    ],
    [
      'a lever that is hidden by none',
      { levers: [{ ...override, hidden: true }] },
      'levers[0].hidden',
      /^found true, expected false/,
    ],
    [
      'an expired generation that was not issued',
      { expired: { tokens: 9, labels: 0 } },
      'expired.tokens',
      /^found 9, expected at most/,
    ],
  ])('%s', (_, change, field, message) => {
    const { status, details = [] } = new TestState().refused((draft) => importState(draft, { ...document, ...change }));
    expect(status).toBe(422);
    expect(details).toContainEqual({ field, message: expect.stringMatching(message) });
  });

  test('more records than the sandbox may hold', () => {
    const { details = [] } = new TestState(freshState('stage', now, 5)).refused((draft) =>
      importState(draft, document),
    );
    expect(details[0]).toEqual({
      field: expect.stringMatching(/^data\./),
      message: expect.stringMatching(/^found \d+ records, expected at most 5$/),
    });
  });

  test('many faults are told up to fifty', () => {
    const broken = { ...document, data: { ...data, brands: [] } };
    expect(new TestState().refused((draft) => importState(draft, broken)).details).toHaveLength(50);
  });
});

describe('the form of a document is strict', () => {
  const document = JSON.parse(JSON.stringify(exported(stateAfter([[6, 0]]))));
  const layers = (length: number) =>
    Array.from({ length }, (_, n) => ({ name: `s${n}`, applied_at: now, assumptions: {}, records: [] }));
  const faultOf = (nulls: number) => ({
    ...document.levers[0],
    ...{ id: 'a', name: 'a', kind: 'fault', turn: 'fault' },
    settings: { status: 500, match: { body: Array.from({ length: nulls }, () => null) } },
  });

  test('with as many scenarios, and as long a match, as may be', () => {
    expect(carried({ ...document, scenarios: layers(200), levers: [faultOf(999)] }).scenarios).toHaveLength(200);
  });

  test.each<[string, object, string, RegExp]>([
    ['another version', { sachet_state: 2 }, '$.sachet_state', /1/],
    ['a scenario too many', { scenarios: layers(201) }, '$.scenarios', /^a list with at most 200 items$/],
    ['too long a match', { levers: [faultOf(1000)] }, '$.levers[0].settings.match.body', /^at most 1000 values/],
    ['an unknown key', { journal: [] }, '$', /one of sachet_state/],
    [
      'a switch with settings of another',
      { levers: [{ ...document.levers[0], settings: { burst: 1 } }] },
      '$.levers[0].settings',
      /./,
    ],
    [
      'a lever of no kind',
      { levers: [{ ...document.levers[0], kind: 'x' }] },
      '$.levers[0].kind',
      /the name of a switch/,
    ],
    ['a collection too few', { data: { ...document.data, packs: undefined } }, '$.data.packs', /^a list$/],
    ['a reading that there is none of', { assumptions: { next_cursor: 'x' } }, '$.assumptions.next_cursor', /body/],
    ['a clock that runs backwards', { clock: { ...document.clock, rate: -1 } }, '$.clock.rate', /^a number above 0$/],
  ])('%s', (_, change, path, expected) => {
    const { faults } = parseFile(stateDocument, { name: 'state', content: { ...document, ...change } });
    expect(faults?.map((fault) => fault.path)).toContain(path);
    const fault = faults?.find((one) => one.path === path);
    expect(fault?.expected).toMatch(expected);
    if (path.endsWith('.kind')) expect(fault?.found).toBe('"x"');
  });
});
