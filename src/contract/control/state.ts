// The whole state of a sandbox as one document: all that an export carries and an import brings (architecture.md, "What survives what").
import { z } from 'zod';
import { assumptionIds, assumptionRegister, type Choices } from '../assumptions.ts';
import type { Fixtures } from '../fixtures.ts';
import {
  type CollectionName,
  collectionNames,
  collections,
  type DueStep,
  dueStep,
  latestInstant,
  type RecordOf,
  singles,
  type TrackingHistory,
  trackingHistory,
} from '../records.ts';
import { bounds } from './bounds.ts';
import { sandboxOperation } from './control-operation.ts';
import { type Override, type OverrideKind, type RateWindow, turnOf } from './overrides.ts';
import { sandboxSchema } from './sandboxes.ts';
import { fault, faultId, switches } from './switches.ts';

/** What a sandbox keeps rows of beside the data. */
const ownRowNames = ['spent_refresh_tokens', 'levers', 'due_steps', 'tracking'] as const;
type RowsName = CollectionName | (typeof ownRowNames)[number];

/** What is issued now carries these; what was issued before `expired` is expired. */
interface GenerationsShown {
  readonly tokens: number;
  readonly labels: number;
}

/** Times of records are ISO 8601 as everywhere; those of the clock, levers and scenarios are milliseconds, as the sandbox keeps them. */
export interface StateDocument {
  /** The version of this form. */
  readonly sachet_state: 1;
  /** Where it was exported; an import leaves the name and environment of the sandbox as they are. */
  readonly sandbox: string;
  readonly environment: string;
  /** By the sandbox's clock. */
  readonly exported_at: string;
  /** Every collection, oldest record first, and what a sandbox has one of. */
  readonly data: Fixtures;
  /** The places of the rows in their lists, where these are not 0, 1, 2 and so on. */
  readonly sequences?: { readonly [Name in RowsName]?: readonly number[] };
  /** `now` at the machine's `at`, going on at `rate`, or standing. */
  readonly clock: { readonly now: number; readonly at: number; readonly rate: number; readonly frozen: boolean };
  /** As chosen, without the scenarios' own; the default where one is left out. */
  readonly assumptions: Partial<Choices>;
  readonly scenarios: readonly AppliedScenario[];
  readonly levers: readonly Override[];
  readonly spent_refresh_tokens: readonly { readonly id: string; readonly exp?: number | undefined }[];
  /** The next step of each order and package under way, and the events of packages; none in documents of before there were any. */
  readonly due_steps?: readonly DueStep[];
  readonly tracking?: readonly TrackingHistory[];
  /** How many ids or numbers were drawn, by purpose. */
  readonly counters: Readonly<Record<string, number>>;
  readonly generations: GenerationsShown;
  readonly expired: GenerationsShown;
  readonly rate_window: RateWindow | null;
}

const text = z.string().min(1);
const whole = z.int().min(0).max(bounds.counted);
/** Sandbox time in milliseconds since 1970. */
const milliseconds = z.int().min(0).max(latestInstant);

/** One reading for some of the assumptions. */
const someReadings = z.strictObject(
  Object.fromEntries(
    assumptionIds.map((id) => [
      id,
      z.enum(assumptionRegister[id].choices.map(([choice]) => choice as string)).optional(),
    ]),
  ),
) as unknown as z.ZodType<Partial<Choices>, Partial<Choices>>;

const rateWindow: z.ZodType<RateWindow, RateWindow> = z.strictObject({ began_at: milliseconds, calls: whole });

function row(kind: OverrideKind) {
  return z.strictObject({
    id: text,
    name: kind === 'fault' ? faultId : z.literal(kind),
    kind: z.literal(kind),
    turn: z.literal(turnOf[kind]),
    scenario: text.nullable(),
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

const [firstRow = row('fault'), ...otherRows] = (Object.keys(turnOf) as OverrideKind[]).map(row);

/** A switch or fault that is on. */
const overrideRow = z.discriminatedUnion(
  'kind',
  [firstRow, ...otherRows],
  'the name of a switch, or "fault"',
) as unknown as z.ZodType<Override, Override>;

function changed(collection: CollectionName) {
  const record = collections[collection];
  const timed = z.boolean().optional();
  return z.strictObject({ collection: z.literal(collection), before: record.nullable(), after: record, timed });
}

const [first = changed('accounts'), ...others] = collectionNames.map(changed);

/** A record that a scenario changed: what it was (null: nothing) and what the scenario made of it. */
export interface ChangedRecord {
  readonly collection: CollectionName;
  readonly before: RecordOf<CollectionName> | null;
  readonly after: RecordOf<CollectionName>;
  /** Whether the timeline had a step for it. */
  readonly timed?: boolean;
}

/** A scenario that is applied, and the records it changed. Its levers carry its name. */
export interface AppliedScenario {
  readonly name: string;
  /** Sandbox time in milliseconds. */
  readonly applied_at: number;
  readonly assumptions: Partial<Choices>;
  readonly records: readonly ChangedRecord[];
}

const scenarioRow = z.strictObject({
  name: text,
  applied_at: milliseconds,
  assumptions: someReadings,
  records: z.array(z.discriminatedUnion('collection', [first, ...others], `one of ${collectionNames.join(', ')}`)),
}) as unknown as z.ZodType<AppliedScenario, AppliedScenario>;

const generations = z.strictObject({ tokens: whole, labels: whole });
const places = z.array(whole).optional();

export const stateDocument = z.strictObject({
  sachet_state: z.literal(1),
  sandbox: text,
  environment: text,
  exported_at: z.iso.datetime({ precision: 3 }),
  data: z.strictObject({
    ...Object.fromEntries(collectionNames.map((name) => [name, z.array(collections[name])])),
    ...singles,
  }),
  sequences: z
    .strictObject(Object.fromEntries([...collectionNames, ...ownRowNames].map((name) => [name, places])))
    .optional(),
  clock: z.strictObject({
    now: milliseconds,
    at: milliseconds,
    rate: z.number().positive().max(1_000_000),
    frozen: z.boolean(),
  }),
  assumptions: someReadings,
  scenarios: z.array(scenarioRow).max(bounds.scenarios),
  levers: z.array(overrideRow).max(bounds.overrides),
  spent_refresh_tokens: z.array(z.strictObject({ id: text, exp: z.number().optional() })),
  due_steps: z.array(dueStep()).optional(),
  tracking: z.array(trackingHistory()).optional(),
  counters: z
    .record(z.string(), whole)
    .refine((counters) => Object.keys(counters).length <= bounds.counters, `at most ${bounds.counters} counters`),
  generations,
  expired: generations,
  rate_window: rateWindow.nullable(),
}) as unknown as z.ZodType<StateDocument, StateDocument>;

const path = '/state';

export const stateOperations = {
  'state.get': sandboxOperation('GET', path, 'Export the whole state', { responses: { 200: stateDocument } }),
  'state.put': sandboxOperation('PUT', path, 'Import a whole state', {
    body: stateDocument,
    bodyBytes: bounds.stateBytes,
    responses: { 200: sandboxSchema },
  }),
} as const;
