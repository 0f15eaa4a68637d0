// The search for the assumptions that explain how the answers of a service and a sandbox differ.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../contract/assumptions.ts';
import { internChoices } from '../../contract/resolved-assumptions.ts';
import { operationOf } from '../../fidelity/call-to-judge.ts';
import type { RecordedCall } from '../../fidelity/recorded-call.ts';
import { neededCalls } from '../../fidelity/replay.ts';
import {
  assumptionsOf,
  type ComparedCall,
  compareSandbox,
  countOf,
  rulesOf,
  type SandboxRun,
  type SandboxWorld,
} from './sandbox-run.ts';

/** A choice with which the sandbox answers more calls as the target does. */
export interface Explanation {
  readonly assumption: AssumptionId;
  readonly choice: string;
  /** What the sandbox had. */
  readonly instead: string;
  /** The other choices that explain the differences as well: `id=choice`. */
  readonly or: readonly string[];
  /** The calls whose differences it removes or reduces. */
  readonly calls: ReadonlySet<RecordedCall>;
}

type Candidate = Pick<Explanation, 'assumption' | 'choice'>;

const allCandidates: readonly Candidate[] = assumptionIds.flatMap((assumption) =>
  assumptionRegister[assumption].choices.map(([choice]) => ({ assumption, choice })),
);

const differsInStatus = (one: ComparedCall): boolean =>
  countOf(one) > 0 && one.differences.some(({ path }) => path === 'status');
/** More than the places of any body: an error has fewer than a list. */
const statusWeight = 1e9;
const weightOf = (one: ComparedCall): number => countOf(one) + (differsInStatus(one) ? statusWeight : 0);

const differencesIn = ({ calls }: SandboxRun): number => calls.reduce((sum, one) => sum + weightOf(one), 0);

/** The calls that differ less than before. A call that can no longer be compared is not explained. */
function reducedCalls(before: SandboxRun, after: SandboxRun): Set<RecordedCall> {
  const isReduced = (one: ComparedCall, at: number) =>
    one.lacks === undefined && weightOf(one) < weightOf(before.calls[at] as ComparedCall);
  return new Set(after.calls.filter(isReduced).map(({ call }) => call));
}

const withChoice = (choices: Choices, { assumption, choice }: Candidate): Choices =>
  internChoices({ ...choices, [assumption]: choice });

/**
 * Looks for the choice that removes the most differences, adopts it, and goes on until no choice removes any.
 * @param signal ends the search
 */
export async function explain(first: SandboxRun, signal?: AbortSignal): Promise<Explanation[]> {
  const explanations: Explanation[] = [];
  let run = first;
  let candidates = allCandidates;
  while (differencesIn(run) > 0 && !signal?.aborted) {
    const isOpen = ({ assumption }: Candidate) => explanations.every((one) => one.assumption !== assumption);
    const found = await bestCandidates(run, candidates.filter(isOpen), signal);
    if (signal?.aborted) break;
    const [best, ...others] = found.best;
    if (!best && candidates === allCandidates) break;
    // Most often, the next explanation is one of those that removed some differences before.
    candidates = best ? found.hopeful : allCandidates;
    if (!best) continue;
    const after = await compareSandbox(run.world, withChoice(run.choices, best));
    const calls = reducedCalls(run, after);
    const or = await alternatives(run, calls, others);
    explanations.push({ ...best, instead: run.choices[best.assumption], or, calls });
    run = after;
  }
  return explanations;
}

/** Those that explain the same calls: `id=choice`. */
async function alternatives(
  run: SandboxRun,
  calls: ReadonlySet<RecordedCall>,
  candidates: readonly Candidate[],
): Promise<string[]> {
  const found: string[] = [];
  for (const one of candidates) {
    const own = reducedCalls(run, await compareSandbox(run.world, withChoice(run.choices, one)));
    if (own.size === calls.size && [...own].every((call) => calls.has(call)))
      found.push(`${one.assumption}=${one.choice}`);
  }
  return found;
}

interface Found {
  /** The choices that leave the fewest differences, if any leaves fewer. */
  readonly best: readonly Candidate[];
  /** All that leave fewer. */
  readonly hopeful: readonly Candidate[];
}

async function bestCandidates(run: SandboxRun, candidates: readonly Candidate[], signal?: AbortSignal): Promise<Found> {
  const small = await compareSandbox(smallWorld(run), run.choices);
  const names = new Set(small.calls.flatMap((one) => (countOf(one) > 0 ? assumptionsOf(one.sandbox) : [])));
  const used = candidates.filter(({ assumption }) => names.has(assumption));
  const unused = candidates.filter(({ assumption }) => !names.has(assumption));
  let found = await search(small, used, signal);
  // An answer does not name an assumption that had no effect on it.
  if (found.best.length === 0) found = await search(small, unused, signal);
  if (found.best.length === 0) return found;
  // The calls that were left out may decide between several, or contradict all.
  const { best } = await search(run, found.best, signal);
  const others = candidates.filter((one) => !found.best.includes(one));
  return best.length > 0 ? { ...found, best } : bestCandidates(run, others, signal);
}

/** The world with only the first call of each kind of difference, and the calls that these need. */
function smallWorld({ world, calls }: SandboxRun): SandboxWorld {
  const firsts = new Map<string, number>();
  for (const [at, one] of calls.entries())
    if (countOf(one) > 0 && !firsts.has(kindOf(one))) firsts.set(kindOf(one), at);
  const recorded = calls.map(({ call }) => call);
  const needed = neededCalls(recorded, new Set(firsts.values()));
  return { ...world, sent: world.sent.filter((_, at) => needed.has(at)) };
}

function kindOf({ call, differences, sandbox }: ComparedCall): string {
  const operation = operationOf(call)?.operation.id ?? call.method;
  const paths = differences.map(({ path }) => path.replaceAll(/\d+/g, '*'));
  return JSON.stringify([operation, rulesOf(sandbox), ...new Set(paths)]);
}

async function search(run: SandboxRun, candidates: readonly Candidate[], signal?: AbortSignal): Promise<Found> {
  const most = differencesIn(run);
  const counts = new Map<Candidate, number>();
  for (const candidate of candidates) {
    // A signal is received between two runs.
    await nextTurn();
    if (signal?.aborted) break;
    if (candidate.choice === run.choices[candidate.assumption]) continue;
    let count = 0;
    await compareSandbox(run.world, withChoice(run.choices, candidate), (one, at) => {
      // A call that can no longer be compared is not explained.
      const before = run.calls[at] as ComparedCall;
      const after = one.lacks === undefined ? one : before;
      count += differsInStatus(after) && !differsInStatus(before) ? Number.POSITIVE_INFINITY : weightOf(after);
      return count < most;
    });
    if (count < most) counts.set(candidate, count);
  }
  const hopeful = [...counts.keys()];
  const least = Math.min(...counts.values());
  return { best: hopeful.filter((one) => counts.get(one) === least), hopeful };
}
