// Runs of the command, each with another reading, and what is learnt from its calls while they come.
import { trackingPath } from '../../contract/addresses.ts';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../contract/assumptions.ts';
import { Assumptions } from '../../contract/resolved-assumptions.ts';
import type { EngineOptions } from '../../engine.ts';
import type { Entry } from '../../journal/entry.ts';
import { presentEntry } from '../../journal/present.ts';
import { UsageError } from '../../stores/errors.ts';
import { stopwatch } from '../../system/time.ts';
import type { Setting } from '../cli/serve-flags.ts';
import { ClientProcess, withTimeout } from '../client-process.ts';
import { clientEnvironment, type GivenVariable, startClientServer } from '../client-server.ts';

/** One assumption turned to another reading. */
export interface Variation {
  readonly assumption: AssumptionId;
  readonly reading: string;
}

/** What is looked at: an assumption, or one reading of it. */
export interface Selection {
  readonly assumption: AssumptionId;
  readonly reading?: string | undefined;
}

/**
 * In the register's order; those that `only` names, where it names any.
 * @throws UsageError for a reading that the first run has already: there is nothing to turn.
 */
export function listVariations(base: Choices, only: readonly Selection[]): Variation[] {
  for (const { assumption: id, reading } of only)
    if (reading === base[id])
      throw new UsageError(
        `the first run is by ${id}=${reading} already; its other choices are: ${othersOf(base, id).join(', ')}`,
      );
  const isMeant = (turn: Variation) =>
    only.some((one) => one.assumption === turn.assumption && (one.reading ?? turn.reading) === turn.reading);
  return assumptionIds
    .flatMap((assumption) => othersOf(base, assumption).map((reading) => ({ assumption, reading })))
    .filter((turn) => only.length === 0 || isMeant(turn));
}

const othersOf = (base: Choices, id: AssumptionId): string[] =>
  assumptionRegister[id].choices.map(([reading]) => reading).filter((reading) => reading !== base[id]);

/** What the reading means, in the register's words, and what the first run has instead. */
function describeVariation({ assumption, reading }: Variation, base: Choices): string {
  const first = base[assumption];
  const was = `first run: ${first}: ${gloss(assumption, first)}`;
  return `${assumption}=${reading}: ${gloss(assumption, reading)} (${was})`;
}

const gloss = (id: AssumptionId, reading: string): string =>
  assumptionRegister[id].choices.find(([name]) => name === reading)?.[1].replaceAll('`', '') ?? '';

/** Kinds that are told apart: a client may call as many paths as it likes. */
const maxKinds = 10_000;
/** The longest path that is told from others: whoever asks for a longer one asks for many such. */
const maxPathCharacters = 500;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const numbered = new RegExp(`^${trackingPath}/.*`);

/**
 * What became of a call, as far as two runs of the same client can be compared: the operation, else the method and
 * the path without its ids; then the status and the rules.
 */
export function outcomeOf({
  operation,
  method,
  path,
  answer,
}: Pick<Entry, 'operation' | 'method' | 'path' | 'answer'>): string {
  const asked = operation ?? `${method} ${withoutIds(path.slice(0, maxPathCharacters))}`;
  return [asked, answer?.status ?? 'broken', ...(answer?.decision.rules ?? [])].join(' ');
}

const withoutIds = (path: string): string =>
  path.replaceAll(uuid, '{id}').replace(numbered, `${trackingPath}/{number}`);

/** Counts how often each outcome came. Gives how often this one has, with those that are added. */
function outcomeCounts(): (outcome: string, added: 0 | 1) => number {
  const counts = new Map<string, number>();
  return (outcome, added) => {
    const kind = counts.has(outcome) || counts.size < maxKinds ? outcome : '';
    const count = (counts.get(kind) ?? 0) + added;
    if (added) counts.set(kind, count);
    return count;
  };
}

/** Whether a call was refused, or its connection broken. */
const isRefused = ({ answer }: Entry): boolean => answer !== null && (answer.status ?? 500) >= 400;

/** A call of a run that failed: what was asked and answered, and what the reading has to do with it. */
function explainedRequest(entry: Entry, sandbox: string, turn: Variation, base: Choices) {
  const { method, path, operation, status, rules, decision } = presentEntry(entry);
  const answered = status === null ? `${method} ${path} got no answer` : `${method} ${path} answered ${status}`;
  const why = isRefused(entry) ? `: ${decision?.sentence ?? ''};` : ',';
  const explanation = `${answered}${why} read with ${describeVariation(turn, base)}`;
  return { sandbox, method, path, operation, status, rules, explanation };
}

export type RequestSummary = ReturnType<typeof explainedRequest>;

/** The run by the base readings: what it asked for, and how often each outcome came. */
export class FirstRun {
  readonly base: Choices;
  readonly outcomes = outcomeCounts();
  /** Knows which assumptions any of its calls asked for. */
  readonly assumptions: Assumptions;
  requests = 0;

  constructor(base: Choices) {
    this.base = base;
    this.assumptions = new Assumptions(base, []);
  }

  see(entry: Entry): void {
    const { assumptions } = entry.answer?.decision ?? {};
    this.requests += 1;
    this.outcomes(outcomeOf(entry), 1);
    if (assumptions) this.assumptions.note(assumptions);
  }
}

/** Watches a run by another reading, for the call at which it most likely failed. */
export function watchVariation(first: FirstRun, turn: Variation) {
  const outcomes = outcomeCounts();
  let isReached = false;
  /** The first call that met the reading; of those that were refused; of those whose outcome the first run had not as often. */
  let met: RequestSummary | undefined;
  let refused: RequestSummary | undefined;
  let surprising: RequestSummary | undefined;
  return {
    see(entry: Entry, sandbox: string): void {
      const outcome = outcomeOf(entry);
      const isMore = outcomes(outcome, 1) > first.outcomes(outcome, 0);
      const { assumptions } = entry.answer?.decision ?? {};
      if (!assumptions?.asked.has(turn.assumption)) return;
      isReached = true;
      // The client may have turned it back.
      if (assumptions.choices[turn.assumption] !== turn.reading) return;
      const told = () => explainedRequest(entry, sandbox, turn, first.base);
      met ??= told();
      if (isRefused(entry)) refused ??= told();
      if (isMore) surprising ??= told();
    },
    /** Whether any of its calls asked for the assumption, and met the reading; where to look when the run failed. */
    found: () => ({ isReached, met: met !== undefined, request: surprising ?? refused ?? met ?? null }),
  };
}

/** What is the same in every run. */
export interface ClientCommand {
  readonly setting: Setting;
  readonly command: readonly string[];
  readonly env: readonly GivenVariable[];
  /** Aborted where Sachet shall end: then nothing is to be concluded from how the command ends. */
  readonly signal: AbortSignal;
}

/** What is a run's own. */
interface Run {
  readonly choices: Choices;
  readonly timeoutMilliseconds: number;
  readonly onCompleted: NonNullable<EngineOptions['onCompleted']>;
}

export interface RunEnd {
  readonly passed: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** It took longer than it may and was ended. */
  readonly timedOut: boolean;
  readonly timeoutMilliseconds: number;
  readonly durationMilliseconds: number;
  readonly output: string;
}

/** @throws UsageError where the command cannot be started; the reason of the signal. */
export async function runCommand({ setting, command, env, signal: stop }: ClientCommand, run: Run): Promise<RunEnd> {
  const { timeoutMilliseconds } = run;
  const { place, close } = await startClientServer(setting, run);
  let client: ClientProcess | undefined;
  try {
    stop.throwIfAborted();
    const started = stopwatch();
    client = await ClientProcess.start(command, clientEnvironment(place, env));
    const inTime = await withTimeout(timeoutMilliseconds, client.ended, stop);
    const durationMilliseconds = Math.round(stopwatch() - started);
    // What it has left behind goes, too, and then all that it printed is there.
    await client.end();
    const { exitCode, signal } = await client.ended;
    const timedOut = inTime === undefined;
    const passed = exitCode === 0 && !timedOut;
    return { passed, exitCode, signal, timedOut, timeoutMilliseconds, durationMilliseconds, output: client.output };
  } finally {
    await client?.end();
    await close();
  }
}
