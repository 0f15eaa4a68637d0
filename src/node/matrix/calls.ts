// The variations of the assumptions, and the evidence from the calls of a run.
import { trackingPath } from '../../contract/addresses.ts';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../contract/assumptions.ts';
import { callName } from '../../fidelity/difference.ts';
import type { Entry } from '../../journal/entry.ts';
import { presentEntry } from '../../journal/present.ts';
import { UsageError } from '../../system/exit-errors.ts';

/** One assumption with another choice than the first run has. */
export interface Variation {
  readonly assumption: AssumptionId;
  /** The choice, under its name in the JSON report. */
  readonly reading: string;
}

/** What `--only` selects: an assumption, or one choice of it. */
export type Selection = Pick<Variation, 'assumption'> & { readonly reading?: string | undefined };

/** The variations, all or the selected, in the register's order. @throws UsageError for a choice of the first run */
export function listVariations(base: Choices, selected: readonly Selection[]): Variation[] {
  for (const { assumption: id, reading } of selected)
    if (reading === base[id])
      throw new UsageError(
        `the first run already uses ${id}=${reading}; the other choices are: ${otherChoices(base, id).join(', ')}`,
      );
  const isSelected = ({ assumption, reading }: Variation) =>
    selected.some((one) => one.assumption === assumption && (one.reading ?? reading) === reading);
  return assumptionIds
    .flatMap((assumption) => otherChoices(base, assumption).map((reading) => ({ assumption, reading })))
    .filter((variation) => selected.length === 0 || isSelected(variation));
}

const otherChoices = (base: Choices, id: AssumptionId): string[] =>
  assumptionRegister[id].choices.map(([choice]) => choice).filter((choice) => choice !== base[id]);

/** The choice in the register's words. */
const describeChoice = (id: AssumptionId, choice: string): string =>
  `${choice}: ${assumptionRegister[id].choices.find(([name]) => name === choice)?.[1].replaceAll('`', '') ?? ''}`;

const trackingNumber = new RegExp(`^${trackingPath}/.*`);

/**
 * The outcome of a call, comparable between two runs of the same client: the operation, or the method and the path
 * without ids; then the status and the rules.
 */
function outcomeOf({ operation, method, path, answer }: Entry): string {
  const call = callName(operation, method, path.replace(trackingNumber, `${trackingPath}/{number}`));
  return [call, answer?.status ?? 'broken', ...(answer?.decision.rules ?? [])].join(' ');
}

/** Counts the outcome; returns its count. */
function countOutcome(counts: Map<string, number>, outcome: string): number {
  const count = (counts.get(outcome) ?? 0) + 1;
  counts.set(outcome, count);
  return count;
}

/** The call was refused, or its connection broken. */
const isRefused = ({ answer }: Entry): boolean => answer !== null && (answer.status ?? 500) >= 400;

/** A call of a run that failed: request, response, and how the variation may explain it. */
function explainRequest(entry: Entry, sandbox: string, { assumption, reading }: Variation, base: Choices) {
  const { method, path, operation, status, rules, decision } = presentEntry(entry);
  const response = status === null ? `${method} ${path} got no response` : `${method} ${path} answered ${status}`;
  const reason = isRefused(entry) ? ` ${decision?.sentence ?? ''}` : '';
  const choice = `${assumption}=${describeChoice(assumption, reading)}`;
  const firstChoice = describeChoice(assumption, base[assumption]);
  const explanation = `${response}.${reason} This run used ${choice} (first run: ${firstChoice})`;
  return { sandbox, method, path, operation, status, rules, explanation };
}

export type ExplainedRequest = ReturnType<typeof explainRequest>;

/** The calls of the run with the base choices. */
export class FirstRun {
  readonly outcomes = new Map<string, number>();
  /** The assumptions that the calls used. */
  readonly used = new Set<AssumptionId>();
  requests = 0;

  readonly add = (entry: Entry): void => {
    this.requests += 1;
    countOutcome(this.outcomes, outcomeOf(entry));
    for (const id of entry.answer?.decision.assumptions?.used ?? []) this.used.add(id);
  };
}

/** The calls of a run with a variation: looks for the one at which the run most likely failed. */
export function followVariation(first: FirstRun, variation: Variation, base: Choices) {
  const { assumption, reading } = variation;
  const outcomes = new Map<string, number>();
  const found: {
    /** A call used the assumption, maybe with another choice. */
    isReached: boolean;
    /** The first call that used the choice. */
    met?: ExplainedRequest;
    refused?: ExplainedRequest;
    /** The first call with an outcome that is more frequent than in the first run. */
    surprising?: ExplainedRequest;
  } = { isReached: first.used.has(assumption) };
  const onCompleted = (entry: Entry, sandbox: string): void => {
    const outcome = outcomeOf(entry);
    const isSurprising = countOutcome(outcomes, outcome) > (first.outcomes.get(outcome) ?? 0);
    const { assumptions } = entry.answer?.decision ?? {};
    if (!assumptions?.used.has(assumption)) return;
    found.isReached = true;
    // The client may have changed the assumption itself.
    if (assumptions.choices[assumption] !== reading) return;
    const explain = () => explainRequest(entry, sandbox, variation, base);
    found.met ??= explain();
    if (isRefused(entry)) found.refused ??= explain();
    if (isSurprising) found.surprising ??= explain();
  };
  return { found, onCompleted };
}
