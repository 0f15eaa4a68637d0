// Handlers of everything that a tester overrides: clock, switches, faults, scenarios and assumptions.
import { ControlRefusal, notFound } from '../../contract/control/control-operation.ts';
import { latestInstant } from '../../contract/records.ts';
import type { Scenario } from '../../contract/scenarios.ts';
import { patchAssumptions } from '../../sandbox/assumptions.ts';
import { addFault, getFault, listFaults, removeFault } from '../../sandbox/faults.ts';
import type { Reply } from '../../sandbox/idempotency.ts';
import type { Writing } from '../../sandbox/sandbox-world.ts';
import { applyScenario, takeBack } from '../../sandbox/scenarios.ts';
import { clearSwitches, patchSwitches, presentSwitches } from '../../sandbox/switches.ts';
import { advance, patchedClock, presentClock } from '../../state/clock.ts';
import type { State } from '../../state/state.ts';
import type { Dependencies } from '../dependencies.ts';
import { type ControlCall, type ControlHandlersFor, change, read } from './call.ts';

type Ids =
  | `clock.${'get' | 'set' | 'advance'}`
  | `switches.${'get' | 'set' | 'clear'}`
  | `faults.${'list' | 'create' | 'get' | 'delete'}`
  | `scenarios.${'list' | 'apply' | 'take_back'}`
  | `assumptions.${'get' | 'set'}`;

const gone = { status: 204, body: undefined } as const;

/** A change that may move the clock; what is due by then happens at once. A store that fails is the next call's matter. */
async function moved<R extends Reply>(call: ControlCall, move: (state: State, writing: Writing) => R): Promise<R> {
  const reply = await change(call, move);
  await call.sandbox.advance(call.machineTime);
  return reply;
}

const clockReply = (state: State, machine: number) =>
  ({ status: 200, body: presentClock(state.value('clock'), machine) }) as const;

const choicesReply = (state: State) => ({ status: 200, body: state.value('choices') }) as const;

function showScenario(state: State, { name, intent, right_client, expect = [], conduct = [] }: Scenario) {
  const applied = state.value('scenarios').find((one) => one.name === name);
  const applied_at = applied ? new Date(applied.applied_at).toISOString() : null;
  return { name, intent, right_client, expect, conduct, applied_at };
}

export const overrideHandlers: ControlHandlersFor<Ids> = {
  'clock.get': (call) => read(call, (state) => clockReply(state, call.machineTime)),
  'clock.set': (call, { body }) =>
    moved(call, (state) => {
      state.setValue('clock', patchedClock(state.value('clock'), body, call.machineTime));
      return clockReply(state, call.machineTime);
    }),
  'clock.advance': (call, { body }) =>
    moved(call, (state, { now }) => {
      if (now + body.milliseconds > latestInstant) throw new ControlRefusal(422, 'The clock ends with the year 9999');
      advance(state, body.milliseconds);
      return clockReply(state, call.machineTime);
    }),
  'switches.get': (call) => read(call, (state, now) => ({ status: 200, body: presentSwitches(state, now) })),
  'switches.set': (call, { body }) =>
    change(call, (state, { now }) => {
      patchSwitches(state, body, now);
      return { status: 200, body: presentSwitches(state, now) };
    }),
  'switches.clear': (call) =>
    change(call, (state) => {
      clearSwitches(state);
      return gone;
    }),
  'faults.list': (call) => read(call, (state, now) => ({ status: 200, body: { faults: listFaults(state, now) } })),
  'faults.create': (call, { body }) =>
    change(call, (state, { now }) => ({ status: 201, body: addFault(state, body, null, now) })),
  'faults.get': (call, { params }) =>
    read(call, (state, now) => ({ status: 200, body: getFault(state, params.id, now) })),
  'faults.delete': (call, { params }) =>
    change(call, (state) => {
      removeFault(state, params.id);
      return gone;
    }),
  'scenarios.list': (call) =>
    read(call, (state) => {
      const scenarios = Array.from(call.deps.scenarios.values(), (scenario) => showScenario(state, scenario));
      return { status: 200, body: { scenarios } };
    }),
  'scenarios.apply': (call, { params }) => {
    const scenario = scenarioNamed(call.deps, params.name);
    return moved(call, (state, writing) => {
      applyScenario(state, scenario, writing, call.machineTime);
      return { status: 200, body: showScenario(state, scenario) };
    });
  },
  'scenarios.take_back': (call, { params }) =>
    change(call, (state, writing) => {
      takeBack(state, params.name, writing);
      return gone;
    }),
  'assumptions.get': (call) => read(call, choicesReply),
  'assumptions.set': (call, { body }) =>
    change(call, (state) => {
      patchAssumptions(state, body);
      return choicesReply(state);
    }),
};

/** @throws ControlRefusal 404 */
export function scenarioNamed({ scenarios }: Dependencies, name: string): Scenario {
  const scenario = scenarios.get(name);
  if (scenario) return scenario;
  throw notFound('scenario', name, [...scenarios.keys()]);
}
