// Levers and applied scenarios as a state document holds them: the state's own rows, each judged by the schema of its kind.
import { z } from 'zod';
import { assumptionIds, assumptions, type Readings } from '../assumptions.ts';
import { latestInstant } from '../instant.ts';
import { type CollectionName, collectionNames, collections, type RecordOf } from '../records.ts';
import { bounds } from './bounds.ts';
import { fault, faultId } from './faults.ts';
import { type Lever, type LeverKind, type RateWindow, turnOf } from './lever.ts';
import { switches } from './switches.ts';

const name = z.string().min(1);
const whole = z.int().min(0).max(bounds.counted);
/** Sandbox time in milliseconds since 1970. */
export const milliseconds = z.int().min(0).max(latestInstant);

/** One reading for some of the assumptions. */
export const someReadings = z.strictObject(
  Object.fromEntries(
    assumptionIds.map((id) => [id, z.enum(assumptions[id].readings.map(([reading]) => reading as string)).optional()]),
  ),
) as unknown as z.ZodType<Partial<Readings>, Partial<Readings>>;

export const rateWindow: z.ZodType<RateWindow, RateWindow> = z.strictObject({ began_at: milliseconds, calls: whole });

function row(kind: LeverKind) {
  return z.strictObject({
    id: name,
    name: kind === 'fault' ? faultId : z.literal(kind),
    kind: z.literal(kind),
    turn: z.literal(turnOf[kind]),
    scenario: name.nullable(),
    hidden: z.boolean(),
    settings: kind === 'fault' ? fault : switches[kind],
    made_at: milliseconds,
    seen: whole,
    hits: whole,
    rolls: whole,
    window: rateWindow.nullable(),
    generation: whole.nullable(),
  });
}

const [firstRow = row('fault'), ...otherRows] = (Object.keys(turnOf) as LeverKind[]).map(row);

/** A switch or fault that is on. */
export const leverRow = z.discriminatedUnion(
  'kind',
  [firstRow, ...otherRows],
  'the name of a switch, or "fault"',
) as unknown as z.ZodType<Lever, Lever>;

function changed(collection: CollectionName) {
  const record = collections[collection];
  const timed = z.boolean().optional();
  return z.strictObject({ collection: z.literal(collection), before: record.nullable(), after: record, timed });
}

const [first = changed('accounts'), ...others] = collectionNames.map(changed);

/** A scenario that is applied, and the records it changed. */
export interface ScenarioRow {
  readonly name: string;
  readonly applied_at: number;
  readonly assumptions: Partial<Readings>;
  readonly records: readonly {
    readonly collection: CollectionName;
    readonly before: RecordOf<CollectionName> | null;
    readonly after: RecordOf<CollectionName>;
    /** Whether the timeline had a step for it. */
    readonly timed?: boolean;
  }[];
}

export const scenarioRow = z.strictObject({
  name,
  applied_at: milliseconds,
  assumptions: someReadings,
  records: z.array(z.discriminatedUnion('collection', [first, ...others], `one of ${collectionNames.join(', ')}`)),
}) as unknown as z.ZodType<ScenarioRow, ScenarioRow>;
