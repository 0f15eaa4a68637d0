// A state document contains all that an export promises: imported anywhere, it is exported again the same.
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
import { brandOfDemo, fulfillmentId, orderId } from '../support/order-requests.ts';
import { fixtures, noon, scenarios } from '../support/sachet.ts';
import { freshState, TestState, writeContext } from '../support/test-state.ts';

const { now } = writeContext;
const exported = (state: TestState): StateDocument => state.write((draft) => exportState(draft, now));

/** As it comes back over HTTP. */
function sent(document: unknown): StateDocument {
  const { data, faults } = parseFile(stateDocument, { name: 'state', content: JSON.parse(JSON.stringify(document)) });
  expect(faults).toBeUndefined();
  return data as StateDocument;
}

const scenarioAt = (n: number) => scenarios[n % scenarios.length] as (typeof scenarios)[number];
/** What a tester or a client does. */
const mutations: readonly ((draft: State, n: number) => unknown)[] = [
  (draft) => insertRecord(draft, 'consumers', { brand_id: brandOfDemo, email: 'a@example.com' }, writeContext),
  (draft, n) => patchRecord(draft, 'orders', orderId(1 + (n % 20)), { status: 'Canceled' }, writeContext),
  (draft, n) => removeRecord(draft, 'fulfillments', fulfillmentId(1 + (n % 9)), writeContext),
  (draft, n) => patchSingle(draft, 'operator', { name: `operator ${n}` }),
  (draft, n) => patchSingle(draft, 'administration_times', { values: [`at ${n}`] }),
  (draft, n) => setSwitches(draft, { rate_limit: { burst: 1 + n }, latency: { milliseconds: n } }, null, now),
  (draft) => setSwitches(draft, { token_expiry: { expire_issued: true, lifetime_seconds: 60 } }, null, now),
  (draft) => clearSwitches(draft),
  (draft, n) => addFault(draft, { match: { path: '/v2/orders', body: { a: [n, null] } }, status: 500 }, null, now),
  (draft, n) => patchAssumptions(draft, n % 2 ? { profile: 'strict' } : { next_cursor: 'meta' }),
  (draft, n) => applyScenario(draft, scenarioAt(n), writeContext, now),
  (draft, n) => revertScenario(draft, scenarioAt(n).name, writeContext),
  (draft, n) => advance(draft, n * 1000),
  (draft, n) => draft.setValue('rate_window', { began_at: now, calls: n }),
  (draft) => draft.table('spent_refresh_tokens').insert({ id: `token ${draft.count('ids of tokens')}` }),
  (draft) => draft.count('ids of orders'),
];

type Step = readonly [mutation: number, n: number];
const deleteFulfillment: Step = [2, 0];
const expireTokens: Step = [6, 0];
const changeAssumptions: Step = [9, 0];
const steps = fc.array(fc.tuple(fc.nat(mutations.length - 1), fc.nat(40)), { maxLength: 12 });

/** Takes these steps; rejected ones leave the state as it was. */
function take(state: TestState, taken: readonly Step[]): TestState {
  for (const [index, n] of taken) {
    try {
      state.write((draft) => void mutations[index]?.(draft, n));
    } catch (error) {
      if (!(error instanceof ControlRefusal)) throw error;
    }
  }
  return state;
}
const stateAfter = (...taken: readonly Step[]): TestState => take(new TestState(), taken);

test('a new sandbox is exported as its fixtures', () => {
  const { data, ...rest } = exported(new TestState());
  expect(data).toEqual(fixtures);
  const header = { sachet_state: 1, sandbox: 'stage', environment: 'stage', exported_at: noon };
  expect(rest).toMatchObject({ ...header, scenarios: [], levers: [] });
  expect(rest).not.toHaveProperty('sequences');
});

test('export, import into another sandbox, export: the same bytes but for the name', () => {
  const property = fc.property(steps, (taken) => {
    const document = exported(stateAfter(...taken));
    const other = new TestState(freshState('other'));
    other.write((draft) => importState(draft, sent(document)));
    const again = { ...exported(other), sandbox: 'stage' };
    expect(again).toEqual(document);
    expect(JSON.stringify(again)).toBe(JSON.stringify(document));
  });
  fc.assert(property, { numRuns: 30 });
});

describe('an import', () => {
  const document = exported(stateAfter(expireTokens, deleteFulfillment, changeAssumptions));

  test('leaves the sandbox its name, keys and snapshots, and starts a new epoch', () => {
    const state = new TestState(freshState('other'));
    state.write((draft) => draft.keep('base', now));
    const { identity } = state.state.initial;
    const { lives } = state.state.value('history');
    state.write((draft) => importState(draft, document));
    expect(state.state.initial.identity).toEqual(identity);
    expect(state.state.value('history')).toEqual({ lives: lives + 1, generations: { tokens: 1, labels: 0 } });
    expect([...state.state.snapshots.keys()]).toEqual(['', 'base']);
  });

  test('applies the assumptions, and those of its scenarios over them', () => {
    const state = new TestState();
    const layer = { name: 'x', applied_at: now, assumptions: { list_order: 'oldest_first' }, records: [] } as const;
    state.write((draft) => importState(draft, { ...document, scenarios: [layer] }));
    expect(state.state.value('readings')).toMatchObject({ next_cursor: 'meta', list_order: 'oldest_first' });
    expect(state.state.value('chosen').list_order).not.toBe('oldest_first');
  });

  test('of an older document, without next steps and histories, has none', () => {
    const { due_steps: _, tracking: __, ...older } = document;
    const state = new TestState();
    state.write((draft) => importState(draft, sent(older)));
    expect(exported(state)).toMatchObject({ due_steps: [], tracking: [], data: document.data });
  });

  test('never lowers the highest generation', () => {
    const state = stateAfter(expireTokens, expireTokens, expireTokens);
    state.write((draft) => importState(draft, document));
    const { tokens } = state.state.value('generations');
    expect([tokens, state.state.value('history').generations.tokens]).toEqual([1, 3]);
  });

  test('has at most the maximum of records', () => {
    const state = new TestState(freshState('stage', now, 5));
    const { status, details = [] } = state.expectRefusal((draft) => importState(draft, document));
    const message = expect.stringMatching(/^found \d+ records, expected at most 5$/);
    expect([status, details[0]]).toEqual([422, { field: expect.stringMatching(/^data\./), message }]);
  });
});
