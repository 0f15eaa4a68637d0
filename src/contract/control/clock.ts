// The sandbox's clock over the control API.
import { z } from 'zod';
import { parseClockInstant } from '../records.ts';
import { docWays, parsedText } from '../schema.ts';
import { sandboxOperation } from './control-operation.ts';

/** An ISO 8601 instant. The output is in milliseconds since 1970. */
const instant = parsedText(parseClockInstant, 'an ISO 8601 instant such as 2026-01-01T00:00:00Z, from 1970 to 9999');

/** PATCH …/clock. `now: null` returns to real time. */
export const clockPatch = z.strictObject({
  now: instant.nullable().optional(),
  frozen: z.boolean().optional(),
  /** Sandbox seconds per real second. */
  rate: z.number().positive().max(1_000_000).optional(),
});
export type ClockPatch = z.output<typeof clockPatch>;

export const clockSchema = z.strictObject({
  now: z.iso.datetime({ precision: 3 }),
  frozen: z.boolean(),
  rate: z.number(),
});

const durationUnits = { W: 604_800_000, D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000 } as const;
const durationForm = /^P(?=\w)(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?=\w)(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/;

/** An ISO 8601 duration in milliseconds; undefined for other texts, and for years and months: their length varies. */
export function parseDuration(text: string): number | undefined {
  const found = durationForm.exec(text);
  if (!found) return undefined;
  const parts = Object.values(durationUnits).map((unit, index) => Number(found[index + 1] ?? 0) * unit);
  const total = Math.round(parts.reduce((sum, part) => sum + part, 0));
  return Number.isSafeInteger(total) ? total : undefined;
}

const wordUnits = ['w(?:eeks?)?', 'd(?:ays?)?', 'h(?:(?:ou)?rs?)?', 'm(?:in(?:ute)?s?)?', 's(?:ec(?:ond)?s?)?'];
const wordForm = new RegExp(`^${wordUnits.map((unit) => `(?:([\\d.]+) ?${unit})?`).join(' ?')}$`, 'i');

/**
 * The ISO 8601 duration of a text for people, or of one that is ISO 8601 already; undefined for other texts.
 * @example toIsoDuration('1 day 3 hours') // 'P1DT3H', the same as for '1d3h'
 */
export function toIsoDuration(text: string): string | undefined {
  const [, ...counts] = wordForm.exec(text.trim()) ?? [];
  const parts = Object.keys(durationUnits).map((unit, index) => (counts[index] ? counts[index] + unit : ''));
  const time = parts.slice(2).join('');
  const iso = counts.length > 0 ? `P${parts[0]}${parts[1]}${time && `T${time}`}` : text.trim().toUpperCase();
  return parseDuration(iso) === undefined ? undefined : iso;
}

const durationWords = 'an ISO 8601 duration of weeks, days, hours, minutes and seconds such as PT15M';
const duration = parsedText(parseDuration, durationWords);
/** A duration that stays a text. */
export const durationText = z.string().refine((text) => parseDuration(text) !== undefined, durationWords);

const advance = z
  .strictObject({ by: duration.optional(), seconds: z.number().nonnegative().optional() })
  .refine(({ by, seconds }) => (by === undefined) !== (seconds === undefined), 'exactly one of by and seconds')
  .meta({ override: docWays([['by'], ['seconds']]) })
  .transform(({ by, seconds = 0 }) => ({ milliseconds: by ?? Math.round(seconds * 1000) }));

export const clockOperations = {
  'clock.get': sandboxOperation('GET', '/clock', 'Get the clock', {
    operationId: 'getClock',
    description:
      'The current time of the sandbox, whether it is frozen, and how many sandbox seconds pass in a real second.',
    responses: { 200: clockSchema },
  }),
  'clock.set': sandboxOperation('PATCH', '/clock', 'Set, freeze or resume the clock, or change its speed', {
    operationId: 'setClock',
    description:
      'Sets the time, freezes or resumes the clock, or changes its speed. `now: null` returns to real time. ' +
      'Missing fields do not change.',
    body: clockPatch,
    examples: { sample: { frozen: true } },
    responses: { 200: clockSchema },
  }),
  'clock.advance': sandboxOperation('POST', '/clock/advance', 'Advance the clock', {
    operationId: 'advanceClock',
    description:
      'Moves the clock forward by a duration or a number of seconds. Steps of orders and packages that become ' +
      'due are taken at once.',
    body: advance,
    examples: { sample: { by: 'PT15M' } },
    responses: { 200: clockSchema },
  }),
} as const;
