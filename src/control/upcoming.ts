// What ends or happens next by the sandbox's clock: steps of the timeline, switches and faults, tokens and label URLs given out.
import type { SwitchName } from '../contract/admin/switch-names.ts';
import type { TimelineStep } from '../contract/order-progress.ts';
import type { State } from '../state/state.ts';
import { listFaults } from './faults.ts';
import { type GivenLabel, type GivenToken, givenLabels, givenTokens } from './given-out.ts';
import type { Entry } from './journal/entry.ts';
import { operatorWorld, type Writing } from './sandbox-world.ts';
import { type Counts, isSpent, showSwitches } from './switches.ts';
import { isAutomatic } from './timeline.ts';

interface UpcomingStep {
  readonly kind: 'step';
  readonly at: number;
  readonly of: 'order' | 'fulfillment';
  readonly id: string;
  readonly step: TimelineStep;
}

interface UpcomingEnd {
  readonly kind: 'switch' | 'window' | 'fault';
  readonly at: number;
  /** Of a window it is that of its switch. */
  readonly name: string;
}

/** One thing that is to come; `at` is the sandbox's time in milliseconds. */
export type Upcoming = UpcomingStep | UpcomingEnd | GivenToken | GivenLabel;

/** How many steps, and how many label URLs, are told. */
const most = 10;
/** How many calls are looked at for what they gave out. */
const mostCalls = 200;

/**
 * What comes next, the soonest first; what has come is not told.
 * @param newestFirst the calls of the sandbox's journal
 */
export function upcoming(state: State, writing: Writing, newestFirst: Iterable<Entry>): Upcoming[] {
  const { now } = writing;
  const calls = firstOf(newestFirst, mostCalls);
  const labels = givenLabels(operatorWorld(state, writing), calls, most);
  const all = [...nextSteps(state), ...nextEnds(state, now), ...givenTokens(state, calls), ...labels];
  return all.filter(({ at }) => at > now).sort((one, other) => one.at - other.at);
}

function firstOf<T>(all: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const one of all) if (first.push(one) === count) break;
  return first;
}

/** By hand nothing is due. */
function nextSteps(state: State): UpcomingStep[] {
  if (!isAutomatic(state)) return [];
  const steps = Array.from(state.table('due_steps').entries(), ([, step]) => step);
  steps.sort((one, other) => Date.parse(one.due_at) - Date.parse(other.due_at));
  return steps.slice(0, most).map(({ id, step, due_at }) => {
    const of = state.table('orders').get(id) ? 'order' : 'fulfillment';
    return { kind: 'step', at: Date.parse(due_at), of, id, step };
  });
}

/** What a lever shows of its end. */
type Ending = Counts & { readonly window_seconds?: number | undefined };

/** What has met all its calls is over, whenever it ends. A window ends, and the next call begins another. */
function nextEnds(state: State, now: number): UpcomingEnd[] {
  const switches = Object.entries(showSwitches(state, now)) as [SwitchName, Ending | null][];
  const faults = listFaults(state, now).filter((fault) => !isSpent(fault, now));
  const ends = [
    ...switches.map(([name, shown]) => endOf(shown?.window_seconds === undefined ? 'switch' : 'window', name, shown)),
    ...faults.map((fault) => endOf('fault', fault.id, fault)),
  ];
  return ends.flat();
}

const endOf = (kind: UpcomingEnd['kind'], name: string, shown: Ending | null): UpcomingEnd[] =>
  shown?.ends_at === undefined ? [] : [{ kind, name, at: Date.parse(shown.ends_at) }];
