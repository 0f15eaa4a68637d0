// What recordings of the service show: the choices that they allow, findings, facts; and the file that keeps them
// (`sachet.config.json`).
import { z } from 'zod';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from './assumptions.ts';
import { ConfigError } from './file-errors.ts';
import { type FixtureFile, parseFile } from './fixtures.ts';
import { limits } from './limits.ts';
import type { DeepReadonly } from './records.ts';
import { once } from './schema.ts';

/** Where a choice was seen. */
const evidence = once(() =>
  z
    .strictObject({
      /** When the call was made, ISO 8601. */
      at: z.iso.datetime(),
      /** The file of the recording, or the URL of the service. */
      source: z.string(),
      /** The call and its answer on one line: `POST /v2/orders → 201`. */
      call: z.string(),
    })
    .meta({ id: 'Evidence' }),
);
export type Evidence = z.output<ReturnType<typeof evidence>>;

/** What the answers say about one assumption. */
const observation = once(() =>
  z
    .strictObject({
      assumption: z.enum(assumptionIds),
      question: z.string(),
      /** The choices that no answer contradicts, in the register's order. One choice: it is settled. */
      allowed: z.array(z.string()).min(1),
      /** The answer that last excluded a choice. Null while all choices are allowed. */
      evidence: evidence().nullable(),
      /** Open: the requests that would decide it, or why none can. Null if it is settled. */
      next: z.string().nullable(),
    })
    .meta({ id: 'Observation' }),
);
export type Observation = z.output<ReturnType<typeof observation>>;

/** An answer that contradicts a rule of the contract, or every choice of an assumption. */
const finding = once(() =>
  z
    .strictObject({
      /** The rules and assumptions that it is about. */
      rules: z.array(z.string()),
      /** What differs, one sentence each. */
      problems: z.array(z.string()).min(1),
      /** How many calls have the same problems. */
      count: z.int().positive(),
      evidence: evidence(),
      /** The first such call, without secrets: request line and body. */
      request: z.string(),
      /** Its answer, without secrets: status and body. */
      answer: z.string(),
    })
    .meta({ id: 'Finding' }),
);
export type Finding = z.output<ReturnType<typeof finding>>;

/** Values of the service, besides the choices. */
const facts = once(() =>
  z
    .strictObject({
      /** The allowed values of `time_of_administration`, as a message named them. */
      administration_times: z
        .array(z.string().min(1).max(limits.administrationTimeCharacters))
        .min(1)
        .max(limits.administrationTimes)
        .readonly()
        .optional(),
      /** The most results of a page, where a request asked for more and there were more. */
      page_size: z.int().positive().optional(),
    })
    .meta({ id: 'Facts' }),
);

/** What recordings show. */
export const learnedReport = once(() =>
  z
    .strictObject({
      /** Calls of the service in the recordings, and how many of them could not be judged, by the reason. */
      calls: z.int().nonnegative(),
      skipped: z.record(z.string(), z.int().positive()),
      /** Of every assumption, in the register's order. */
      observations: z.array(observation()),
      findings: z.array(finding()),
      facts: facts(),
    })
    .meta({ id: 'LearnedReport' }),
);
export type LearnedReport = z.output<ReturnType<typeof learnedReport>>;

/** The choice that the evidence leaves; undefined if the assumption is open. */
export const settledChoice = (one: DeepReadonly<Pick<Observation, 'allowed' | 'evidence'>>): string | undefined =>
  one.evidence !== null && one.allowed.length === 1 ? one.allowed[0] : undefined;

const perAssumption = <S extends z.ZodType>(schemaOf: (id: AssumptionId) => S) =>
  z.strictObject(
    Object.fromEntries(assumptionIds.map((id) => [id, schemaOf(id).optional()])) as Record<
      AssumptionId,
      z.ZodOptional<S>
    >,
  );
const choiceOf = (id: AssumptionId) => z.enum(assumptionRegister[id].choices.map(([name]) => name));

/**
 * `sachet.config.json`: choices, facts and evidence of the service, for `--config` and `createSachet({ config })`.
 * @example { "assumptions": { "next_cursor": "meta" }, "facts": { "page_size": 50 }, "verified": {} }
 */
const sachetConfig = once(() =>
  z.strictObject({
    assumptions: perAssumption(choiceOf).optional() as unknown as z.ZodOptional<z.ZodType<Partial<Choices>>>,
    facts: facts().optional(),
    /** The evidence of the assumptions that are settled. */
    verified: perAssumption(evidence).optional(),
  }),
);
/**
 * The parsed content of `sachet.config.json`.
 * @example const config: SachetConfig = JSON.parse(readFileSync('sachet.config.json', 'utf8'));
 */
export type SachetConfig = DeepReadonly<z.output<ReturnType<typeof sachetConfig>>>;

/** @throws ConfigError with every fault */
export function readConfig(file: FixtureFile): SachetConfig {
  const { data, faults } = parseFile(sachetConfig(), file);
  if (faults) throw new ConfigError(faults);
  return data;
}

/** The config that a report gives: settled choices, facts and evidence. */
export function configOf({ observations, facts: known }: LearnedReport): SachetConfig {
  const settled = observations.filter((one) => settledChoice(one) !== undefined);
  return {
    assumptions: Object.fromEntries(settled.map((one) => [one.assumption, settledChoice(one)])),
    facts: known,
    verified: Object.fromEntries(settled.map(({ assumption, evidence: seen }) => [assumption, seen ?? undefined])),
  };
}
