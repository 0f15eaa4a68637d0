// Handlers of clock, switches, faults, scenarios and assumptions.
import { ControlRefusal, notFound } from '../../contract/control/control-operation.ts';
import { latestInstant } from '../../contract/records.ts';
import type { Scenario } from '../../contract/scenarios.ts';
import type { Reply } from '../../sandbox/idempotency.ts';
import {
  addFault,
  clearSwitches,
  getFault,
  listFaults,
  patchAssumptions,
  presentSwitches,
  removeFault,
  setSwitches,
} from '../../sandbox/overrides.ts';
import type { WriteContext } from '../../sandbox/sandbox-world.ts';
import { applyScenario, revertScenario } from '../../sandbox/scenarios.ts';
import { advance, patchedClock, presentClock } from '../../state/clock.ts';
import type { State } from '../../state/state.ts';
import type { Dependencies } from '../dependencies.ts';
import { type ControlCall, type ControlHandlers, created, ok } from './call.ts';

/** A change that may move the clock. Takes the due steps; if the store fails at that, the next call reports it. */
async function changeClock<R extends Reply>(
  call: ControlCall,
  run: (state: State, writing: WriteContext) => R,
): Promise<R> {
  const reply = await call.change(run);
  await call.sandbox.advance(call.machineTime);
  return reply;
}

const clockReply = (state: State, machine: number) => ok(presentClock(state.value('clock'), machine));

const choicesReply = (state: State) => ok(state.value('readings'));

function presentScenario(state: State, scenario: Scenario) {
  const { name, intent, right_client, expect = [], conduct = [], outcomes = [], advance } = scenario;
  const applied = state.value('scenarios').find((one) => one.name === name);
  const applied_at = applied ? new Date(applied.applied_at).toISOString() : null;
  return { name, intent, right_client, expect, conduct, outcomes, advance, applied_at };
}

export const overrideHandlers = {
  'clock.get': (call) => call.read((state) => clockReply(state, call.machineTime)),
  'clock.set': (call, { body }) =>
    changeClock(call, (state) => {
      state.setValue('clock', patchedClock(state.value('clock'), body, call.machineTime));
      return clockReply(state, call.machineTime);
    }),
  'clock.advance': (call, { body }) =>
    changeClock(call, (state, { now }) => {
      if (now + body.milliseconds > latestInstant)
        throw new ControlRefusal(422, 'The clock cannot go beyond the year 9999');
      advance(state, body.milliseconds);
      return clockReply(state, call.machineTime);
    }),
  'switches.get': (call) => call.read((state, now) => ok(presentSwitches(state, now))),
  'switches.set': (call, { body }) =>
    call.change((state, { now }) => {
      setSwitches(state, body, null, now);
      return ok(presentSwitches(state, now));
    }),
  'switches.clear': (call) => call.remove((state) => clearSwitches(state)),
  'faults.list': (call) => call.read((state, now) => ok({ faults: listFaults(state, now) })),
  'faults.create': (call, { body }) => call.change((state, { now }) => created(addFault(state, body, null, now))),
  'faults.get': (call, { params }) => call.read((state, now) => ok(getFault(state, params.id, now))),
  'faults.delete': (call, { params }) => call.remove((state) => removeFault(state, params.id)),
  'scenarios.list': (call) =>
    call.read((state) => {
      const scenarios = Array.from(call.deps.scenarios.values(), (scenario) => presentScenario(state, scenario));
      return ok({ scenarios });
    }),
  'scenarios.apply': (call, { params }) => {
    const scenario = scenarioNamed(call.deps, params.name);
    return changeClock(call, (state, writing) => {
      applyScenario(state, scenario, writing, call.machineTime);
      return ok(presentScenario(state, scenario));
    });
  },
  'scenarios.take_back': (call, { params }) =>
    call.remove((state, writing) => revertScenario(state, params.name, writing)),
  'assumptions.get': (call) => call.read(choicesReply),
  'assumptions.set': (call, { body }) =>
    call.change((state) => {
      patchAssumptions(state, body);
      return choicesReply(state);
    }),
} satisfies Partial<ControlHandlers>;

/** @throws ControlRefusal 404 */
export function scenarioNamed({ scenarios }: Dependencies, name: string): Scenario {
  const scenario = scenarios.get(name);
  if (scenario) return scenario;
  throw notFound('scenario', name, [...scenarios.keys()]);
}
