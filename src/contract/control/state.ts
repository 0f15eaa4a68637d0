// The state document: the whole state of a sandbox, as an export writes it and an import reads it.
import { z } from 'zod';
import type { Choices } from '../assumptions.ts';
import type { Fixtures } from '../fixtures.ts';
import { learnedReport } from '../observations.ts';
import {
  type CollectionName,
  collectionNames,
  collections,
  type DeepReadonly,
  dueStep,
  latestInstant,
  type RecordOf,
  singles,
  statusHistory,
  time,
} from '../records.ts';
import { bounds } from './bounds.ts';
import { sandboxOperation } from './control-operation.ts';
import { choices, type Override, type RateWindow, type RateWindows } from './overrides.ts';
import { sandboxSchema } from './sandboxes.ts';
import { type OverrideKind, phaseOf } from './switch-names.ts';
import { fault, faultId, switches } from './switches.ts';

const text = z.string().min(1);
const whole = z.int().min(0).max(bounds.counted);
/** Sandbox time in milliseconds since 1970. Records have ISO 8601 times instead, as everywhere. */
const milliseconds = z.int().min(0).max(latestInstant);

const someChoices = z.strictObject(choices).partial() as unknown as z.ZodType<Partial<Choices>, Partial<Choices>>;

const rateWindow: z.ZodType<RateWindow, RateWindow> = z.strictObject({ began_at: milliseconds, calls: whole });
const rateWindows: z.ZodType<RateWindows, RateWindows> = z.record(text, rateWindow);

function overrideRow(kind: OverrideKind) {
  return z.strictObject({
    id: text,
    name: kind === 'fault' ? faultId : z.literal(kind),
    kind: z.literal(kind),
    turn: z.literal(phaseOf[kind]),
    scenario: text.nullable(),
    hidden: z.boolean(),
    settings: kind === 'fault' ? fault : switches[kind],
    made_at: milliseconds,
    seen: whole,
    hits: whole,
    rolls: whole,
    window: rateWindow.nullable(),
    windows: rateWindows.optional(),
    generation: whole.nullable(),
  });
}

const [firstKind = 'fault', ...otherKinds] = Object.keys(phaseOf) as OverrideKind[];
const override = z.discriminatedUnion(
  'kind',
  [overrideRow(firstKind), ...otherKinds.map(overrideRow)],
  'the name of a switch, or "fault"',
) as unknown as z.ZodType<Override, Override>;

function changedRecord(collection: CollectionName) {
  const record = collections[collection];
  return z.strictObject({
    collection: z.literal(collection),
    before: record.nullable(),
    after: record,
    timed: z.boolean().optional(),
  });
}

/** A record that a scenario changed: the record before (null: it is new) and after. */
export interface ChangedRecord {
  readonly collection: CollectionName;
  readonly before: RecordOf<CollectionName> | null;
  readonly after: RecordOf<CollectionName>;
  /** Whether the timeline had a step for it. */
  readonly timed?: boolean;
}

const [firstCollection = 'accounts', ...otherCollections] = collectionNames;
/** A scenario that is applied, and the records it changed. Its overrides carry its name. */
const appliedScenario = z.strictObject({
  name: text,
  applied_at: milliseconds,
  assumptions: someChoices,
  records: z.array(
    z.discriminatedUnion(
      'collection',
      [changedRecord(firstCollection), ...otherCollections.map(changedRecord)],
      `one of ${collectionNames.join(', ')}`,
    ) as unknown as z.ZodType<ChangedRecord, ChangedRecord>,
  ),
});
export type AppliedScenario = DeepReadonly<z.output<typeof appliedScenario>>;

/** Tokens and label URLs issued now carry these numbers. Those with a number below `expired` are expired. */
const generations = z.strictObject({ tokens: whole, labels: whole });

const ownRowNames = ['spent_refresh_tokens', 'levers', 'due_steps', 'tracking'] as const;
type RowsName = CollectionName | (typeof ownRowNames)[number];
type Sequences = { readonly [Name in RowsName]?: readonly number[] };

export const stateDocument = z.strictObject({
  /** The version of this format. */
  sachet_state: z.literal(1),
  /** The exported sandbox. An import keeps the name and environment of the importing one. */
  sandbox: text,
  environment: text,
  /** Sandbox time. */
  exported_at: time(),
  /** Every collection, oldest record first, and the single resources. */
  data: z.strictObject({
    ...Object.fromEntries(collectionNames.map((name) => [name, z.array(collections[name])])),
    ...singles,
  }) as unknown as z.ZodType<Fixtures, Fixtures>,
  /** The sequence numbers of the rows, if they are not 0, 1, 2 and so on. */
  sequences: (
    z.strictObject(
      Object.fromEntries([...collectionNames, ...ownRowNames].map((name) => [name, z.array(whole).optional()])),
    ) as unknown as z.ZodType<Sequences, Sequences>
  ).optional(),
  /** The clock shows `now` at the machine's time `at`, and runs on at `rate` unless it is frozen. */
  clock: z.strictObject({
    now: milliseconds,
    at: milliseconds,
    rate: z.number().positive().max(1_000_000),
    frozen: z.boolean(),
  }),
  /** The choices of the tester, without those of scenarios; a missing one is the default. */
  assumptions: someChoices,
  scenarios: z.array(appliedScenario).max(bounds.scenarios),
  /** Missing without a recording. */
  observations: learnedReport().optional(),
  levers: z.array(override).max(bounds.overrides),
  spent_refresh_tokens: z.array(z.strictObject({ id: text, exp: z.number().optional(), uses: whole.optional() })),
  /** The next step of each order and package. Older documents lack it, and the history of statuses. */
  due_steps: z.array(dueStep()).optional(),
  tracking: z.array(statusHistory()).optional(),
  /** How many ids or numbers were drawn, by purpose. */
  counters: z
    .record(z.string(), whole)
    .refine((counters) => Object.keys(counters).length <= bounds.counters, `at most ${bounds.counters} counters`),
  generations,
  expired: generations,
  rate_window: rateWindow.nullable(),
  /** By user. Older documents lack it. */
  rate_windows: rateWindows.optional(),
});
export type StateDocument = DeepReadonly<z.output<typeof stateDocument>>;

const path = '/state';

export const stateOperations = {
  'state.get': sandboxOperation('GET', path, 'Export the whole state', {
    operationId: 'exportState',
    description:
      'Data, clock, switches, faults, scenarios, assumptions and counters as one JSON document. It has ' +
      'passwords. The journal and snapshots are not part of it.',
    responses: { 200: stateDocument },
  }),
  'state.put': sandboxOperation('PUT', path, 'Import a state', {
    operationId: 'importState',
    description:
      'Replaces the whole state with a document that an export wrote, of this or another sandbox. An invalid ' +
      'document changes nothing.',
    body: stateDocument,
    bodyBytes: bounds.stateBytes,
    responses: { 200: sandboxSchema },
  }),
} as const;
