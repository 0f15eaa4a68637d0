// The search for the assumptions that explain how the answers of a service and a sandbox differ.
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../contract/assumptions.ts';
import { internChoices } from '../../contract/resolved-assumptions.ts';
import { operationOf } from '../../fidelity/call-to-judge.ts';
import type { RecordedCall } from '../../fidelity/recorded-call.ts';
import { neededCalls } from '../../fidelity/replay.ts';
import {
  assumptionsOf,
  type ComparedCall,
  collect,
  compareSandbox,
  countOf,
  rulesOf,
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

interface Candidate {
  readonly assumption: AssumptionId;
  readonly choice: string;
}

const allCandidates: readonly Candidate[] = assumptionIds.flatMap((assumption) =>
  assumptionRegister[assumption].choices.map(([choice]) => ({ assumption, choice })),
);

const sumOf = (calls: readonly ComparedCall[]): number => calls.reduce((sum, one) => sum + countOf(one), 0);

/** Looks for the choice that removes the most differences, adopts it, and goes on until no choice removes any. */
export async function explain(
  world: SandboxWorld,
  base: Choices,
  compared: readonly ComparedCall[],
): Promise<Explanation[]> {
  const explanations: Explanation[] = [];
  let [choices, before, hopeful] = [base, compared, allCandidates];
  while (sumOf(before) > 0) {
    const isOpen = ({ assumption }: Candidate) => explanations.every((one) => one.assumption !== assumption);
    const found = await bestCandidates(world, choices, before, hopeful.filter(isOpen));
    const [best, ...others] = found.best;
    if (!best && hopeful === allCandidates) break;
    // Most often, the next explanation is one of those that removed some differences before.
    hopeful = best ? found.hopeful : allCandidates;
    if (!best) continue;
    const { assumption, choice } = best;
    const instead = choices[assumption];
    choices = internChoices({ ...choices, [assumption]: choice });
    const after = await collect(compareSandbox(world, choices));
    const reduced = before.filter((one, at) => countOf(one) > countOf(after[at] as ComparedCall));
    const calls = new Set(reduced.map(({ call }) => call));
    const or = others.map((one) => `${one.assumption}=${one.choice}`);
    explanations.push({ assumption, choice, instead, or, calls });
    before = after;
  }
  return explanations;
}

interface Found {
  /** The choices that leave the fewest differences, if any leaves fewer. */
  readonly best: readonly Candidate[];
  /** All that leave fewer. */
  readonly hopeful: readonly Candidate[];
}

async function bestCandidates(
  world: SandboxWorld,
  base: Choices,
  before: readonly ComparedCall[],
  candidates: readonly Candidate[],
): Promise<Found> {
  const small = smallWorld(world, before);
  const judged = await collect(compareSandbox(small, base));
  const used = new Set(judged.filter((one) => countOf(one) > 0).flatMap(({ sandbox }) => assumptionsOf(sandbox)));
  const isUsed = ({ assumption }: Candidate) => used.has(assumption);
  let found = await search(small, base, judged, candidates.filter(isUsed));
  // An answer does not name an assumption that had no effect on it.
  if (found.best.length === 0)
    found = await search(
      small,
      base,
      judged,
      candidates.filter((one) => !isUsed(one)),
    );
  // The calls that were left out may decide between several.
  if (found.best.length <= 1) return found;
  return { ...found, best: (await search(world, base, before, found.best)).best };
}

/** The world with only the first call of each kind of difference, and the calls that these need. */
function smallWorld(world: SandboxWorld, compared: readonly ComparedCall[]): SandboxWorld {
  const firsts = new Map<string, number>();
  for (const [at, one] of compared.entries())
    if (countOf(one) > 0 && !firsts.has(kindOf(one))) firsts.set(kindOf(one), at);
  const needed = neededCalls(world.calls, new Set(firsts.values()));
  const isNeeded = (_: unknown, at: number) => needed.has(at);
  return { ...world, calls: world.calls.filter(isNeeded), sent: world.sent.filter(isNeeded) };
}

function kindOf({ call, differences, sandbox }: ComparedCall): string {
  const operation = operationOf(call)?.operation.id ?? call.method;
  const paths = differences.map(({ path }) => path.replaceAll(/\d+/g, '*'));
  return JSON.stringify([operation, rulesOf(sandbox), ...new Set(paths)]);
}

async function search(
  world: SandboxWorld,
  base: Choices,
  before: readonly ComparedCall[],
  candidates: readonly Candidate[],
): Promise<Found> {
  const most = sumOf(before);
  let least = most;
  let best: Candidate[] = [];
  const hopeful: Candidate[] = [];
  for (const candidate of candidates) {
    if (candidate.choice === base[candidate.assumption]) continue;
    const choices = internChoices({ ...base, [candidate.assumption]: candidate.choice });
    const count = await countUpTo(compareSandbox(world, choices), before, most);
    if (count >= most) continue;
    hopeful.push(candidate);
    if (count > least) continue;
    best = count < least ? [candidate] : [...best, candidate];
    least = count;
  }
  return { best, hopeful };
}

/** How many places differ. It stops once there are as many as `most`. */
async function countUpTo(
  compared: AsyncIterable<ComparedCall>,
  before: readonly ComparedCall[],
  most: number,
): Promise<number> {
  let [count, at] = [0, 0];
  for await (const one of compared) {
    // A call that can no longer be compared is not explained.
    count += countOf(one.lacks === undefined ? one : (before[at] as ComparedCall));
    at += 1;
    if (count >= most) break;
  }
  return count;
}
