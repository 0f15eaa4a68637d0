// Faults: added, listed and taken out by id.

import { ControlRefusal, notThere } from '../contract/admin/control-operation.ts';
import type { Fault } from '../contract/admin/faults.ts';
import type { LeverOf } from '../contract/admin/lever.ts';
import type { DeepReadonly } from '../contract/records.ts';
import type { State } from '../state/state.ts';
import { allLevers, leverNamed, turnOff, turnOn } from './levers.ts';
import { countsOf } from './switches.ts';

type FaultLever = LeverOf<'fault'>;

const faultsOf = (state: State): FaultLever[] =>
  allLevers(state).filter((lever): lever is FaultLever => lever.kind === 'fault');

export const listFaults = (state: State, now: number) => faultsOf(state).map((fault) => showFault(fault, now));

export const getFault = (state: State, id: string, now: number) => showFault(found(state, id), now);

function showFault(lever: FaultLever, now: number) {
  const scenario = lever.scenario === null ? {} : { scenario: lever.scenario };
  return { ...lever.settings, id: lever.name, hits: lever.hits, ...countsOf(lever, now), ...scenario };
}

/** @throws ControlRefusal 409 where there is a fault of this id already. */
export function addFault(state: State, fault: DeepReadonly<Fault>, scenario: string | null, now: number) {
  const name = fault.id ?? freshName(state);
  if (leverNamed(state, name))
    throw new ControlRefusal(409, `There is a fault "${name}" already; delete it first, or choose another id`);
  turnOn(state, { kind: 'fault', name, scenario, settings: fault }, now);
  return getFault(state, name, now);
}

/** `fault-1` and so on, so that the header and the journal can be read. */
function freshName(state: State): string {
  for (;;) {
    const name = `fault-${state.count('names of faults') + 1}`;
    if (!leverNamed(state, name)) return name;
  }
}

export function removeFault(state: State, id: string): void {
  turnOff(state, found(state, id).id);
}

function found(state: State, id: string): FaultLever {
  const faults = faultsOf(state);
  const fault = faults.find(({ name }) => name === id);
  if (fault) return fault;
  throw notThere(
    'fault',
    id,
    faults.map(({ name }) => name),
  );
}
