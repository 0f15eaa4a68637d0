// Handlers of everything that a tester overrides: clock, switches, faults, scenarios and assumptions.
import { ControlRefusal, notThere } from '../../contract/admin/control-operation.ts';
import { latestInstant } from '../../contract/instant.ts';
import type { Scenario } from '../../contract/scenarios.ts';
import { patchReadings } from '../../control/assumptions.ts';
import { advance, patchedClock, showClock } from '../../control/clock.ts';
import { addFault, getFault, listFaults, removeFault } from '../../control/faults.ts';
import { applyScenario, takeBack } from '../../control/scenarios.ts';
import { clearSwitches, patchSwitches, showSwitches } from '../../control/switches.ts';
import type { Draft } from '../../state/draft.ts';
import type { Edge } from '../edge.ts';
import { type ControlHandlersFor, change, read } from './call.ts';

type Ids =
  | `clock.${'get' | 'set' | 'advance'}`
  | `switches.${'get' | 'set' | 'clear'}`
  | `faults.${'list' | 'create' | 'get' | 'delete'}`
  | `scenarios.${'list' | 'apply' | 'take_back'}`
  | `assumptions.${'get' | 'set'}`;

const gone = { status: 204, body: undefined } as const;

const clockReply = (draft: Draft, machine: number) =>
  ({ status: 200, body: showClock(draft.value('clock'), machine) }) as const;

const choicesReply = (draft: Draft) => ({ status: 200, body: draft.value('readings') }) as const;

function showScenario(draft: Draft, { name, intent, right_client, expect = [], conduct = [] }: Scenario) {
  const applied = draft.value('scenarios').find((one) => one.name === name);
  const applied_at = applied ? new Date(applied.applied_at).toISOString() : null;
  return { name, intent, right_client, expect, conduct, applied_at };
}

export const overrideHandlers: ControlHandlersFor<Ids> = {
  'clock.get': (call) => read(call, (draft) => clockReply(draft, call.machineTime)),
  'clock.set': (call, { body }) =>
    change(call, (draft) => {
      draft.setValue('clock', patchedClock(draft.value('clock'), body, call.machineTime));
      return clockReply(draft, call.machineTime);
    }),
  'clock.advance': (call, { body }) =>
    change(call, (draft, now) => {
      if (now + body.milliseconds > latestInstant) throw new ControlRefusal(422, 'The clock ends with the year 9999');
      advance(draft, body.milliseconds);
      return clockReply(draft, call.machineTime);
    }),
  'switches.get': (call) => read(call, (draft, now) => ({ status: 200, body: showSwitches(draft, now) })),
  'switches.set': (call, { body }) =>
    change(call, (draft, now) => {
      patchSwitches(draft, body, now);
      return { status: 200, body: showSwitches(draft, now) };
    }),
  'switches.clear': (call) =>
    change(call, (draft) => {
      clearSwitches(draft);
      return gone;
    }),
  'faults.list': (call) => read(call, (draft, now) => ({ status: 200, body: { faults: listFaults(draft, now) } })),
  'faults.create': (call, { body }) =>
    change(call, (draft, now) => ({ status: 201, body: addFault(draft, body, null, now) })),
  'faults.get': (call, { params }) =>
    read(call, (draft, now) => ({ status: 200, body: getFault(draft, params.id, now) })),
  'faults.delete': (call, { params }) =>
    change(call, (draft) => {
      removeFault(draft, params.id);
      return gone;
    }),
  'scenarios.list': (call) =>
    read(call, (draft) => {
      const scenarios = Array.from(call.edge.scenarios.values(), (scenario) => showScenario(draft, scenario));
      return { status: 200, body: { scenarios } };
    }),
  'scenarios.apply': (call, { params }) => {
    const scenario = scenarioNamed(call.edge, params.name);
    return change(call, (draft, now) => {
      applyScenario(draft, scenario, { now, hashes: call.edge.hashes }, call.machineTime);
      return { status: 200, body: showScenario(draft, scenario) };
    });
  },
  'scenarios.take_back': (call, { params }) =>
    change(call, (draft, now) => {
      takeBack(draft, params.name, { now, hashes: call.edge.hashes });
      return gone;
    }),
  'assumptions.get': (call) => read(call, choicesReply),
  'assumptions.set': (call, { body }) =>
    change(call, (draft) => {
      patchReadings(draft, body);
      return choicesReply(draft);
    }),
};

/** @throws ControlRefusal 404 */
export function scenarioNamed({ scenarios }: Edge, name: string): Scenario {
  const scenario = scenarios.get(name);
  if (scenario) return scenario;
  throw notThere('scenario', name, [...scenarios.keys()]);
}
