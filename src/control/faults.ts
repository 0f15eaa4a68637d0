// Faults: added, listed and taken out by id.

import { ControlRefusal, notThere } from '../contract/admin/control-operation.ts';
import type { Fault } from '../contract/admin/faults.ts';
import type { LeverOf } from '../contract/admin/lever.ts';
import type { DeepReadonly } from '../contract/records.ts';
import type { Draft } from '../state/draft.ts';
import { allLevers, leverNamed, turnOff, turnOn } from './levers.ts';
import { countsOf } from './switches.ts';

type FaultLever = LeverOf<'fault'>;

const faultsOf = (draft: Draft): FaultLever[] =>
  allLevers(draft).filter((lever): lever is FaultLever => lever.kind === 'fault');

export const listFaults = (draft: Draft, now: number) => faultsOf(draft).map((fault) => showFault(fault, now));

export const getFault = (draft: Draft, id: string, now: number) => showFault(found(draft, id), now);

function showFault(lever: FaultLever, now: number) {
  const scenario = lever.scenario === null ? {} : { scenario: lever.scenario };
  return { ...lever.settings, id: lever.name, hits: lever.hits, ...countsOf(lever, now), ...scenario };
}

/** @throws ControlRefusal 409 where there is a fault of this id already. */
export function addFault(draft: Draft, fault: DeepReadonly<Fault>, scenario: string | null, now: number) {
  const name = fault.id ?? freshName(draft);
  if (leverNamed(draft, name))
    throw new ControlRefusal(409, `There is a fault "${name}" already; delete it first, or choose another id`);
  turnOn(draft, { kind: 'fault', name, scenario, settings: fault }, now);
  return getFault(draft, name, now);
}

/** `fault-1` and so on, so that the header and the journal can be read. */
function freshName(draft: Draft): string {
  for (;;) {
    const name = `fault-${draft.count('names of faults') + 1}`;
    if (!leverNamed(draft, name)) return name;
  }
}

export function removeFault(draft: Draft, id: string): void {
  turnOff(draft, found(draft, id).id);
}

function found(draft: Draft, id: string): FaultLever {
  const faults = faultsOf(draft);
  const fault = faults.find(({ name }) => name === id);
  if (fault) return fault;
  throw notThere(
    'fault',
    id,
    faults.map(({ name }) => name),
  );
}
