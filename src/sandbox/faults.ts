// Faults: added, listed and taken out by id.
import { ControlRefusal, notFound } from '../contract/control/control-operation.ts';
import type { OverrideOf } from '../contract/control/overrides.ts';
import type { Fault } from '../contract/control/switches.ts';
import type { DeepReadonly } from '../contract/records.ts';
import type { State } from '../state/state.ts';
import { activeOverride, addOverride, allOverrides, removeOverride } from './overrides.ts';
import { countsOf } from './switches.ts';

type FaultOverride = OverrideOf<'fault'>;

const faultsOf = (state: State): FaultOverride[] =>
  allOverrides(state).filter((override): override is FaultOverride => override.kind === 'fault');

export const listFaults = (state: State, now: number) => faultsOf(state).map((fault) => showFault(fault, now));

export const getFault = (state: State, id: string, now: number) => showFault(found(state, id), now);

function showFault(override: FaultOverride, now: number) {
  const scenario = override.scenario === null ? {} : { scenario: override.scenario };
  return { ...override.settings, id: override.name, hits: override.hits, ...countsOf(override, now), ...scenario };
}

/** @throws ControlRefusal 409 where there is a fault of this id already. */
export function addFault(state: State, fault: DeepReadonly<Fault>, scenario: string | null, now: number) {
  const name = fault.id ?? freshName(state);
  if (activeOverride(state, name))
    throw new ControlRefusal(409, `There is a fault "${name}" already; delete it first, or choose another id`);
  addOverride(state, { kind: 'fault', name, scenario, settings: fault }, now);
  return getFault(state, name, now);
}

/** `fault-1` and so on, so that the header and the journal can be read. */
function freshName(state: State): string {
  for (;;) {
    const name = `fault-${state.count('names of faults') + 1}`;
    if (!activeOverride(state, name)) return name;
  }
}

export function removeFault(state: State, id: string): void {
  removeOverride(state, found(state, id).id);
}

function found(state: State, id: string): FaultOverride {
  const faults = faultsOf(state);
  const fault = faults.find(({ name }) => name === id);
  if (fault) return fault;
  throw notFound(
    'fault',
    id,
    faults.map(({ name }) => name),
  );
}
