// The switches: what a tester bends by name. Each is replaced whole; null turns it off.
import { z } from 'zod';
import { permissions } from '../operation.ts';
import { bounds } from './bounds.ts';
import { calls, countOf, drop, milliseconds, probability, seconds } from './faults.ts';
import { requestMatch } from './match.ts';
import type { SwitchName } from './switch-names.ts';

const match = requestMatch.optional();

/** Exactly one of these ways, each a set of keys that stand together. */
function oneOf<S extends z.ZodObject>(schema: S, ways: readonly (readonly string[])[]) {
  const words = `one of ${ways.map((way) => way.join(' + ')).join(', ')}`;
  const all = ways.flat();
  return schema.refine(
    (value) => ways.some((way) => countOf(value, way) === way.length && countOf(value, all) === way.length),
    words,
  );
}

/** Each call, the next `burst` of them, or each by its chance. */
function atMostOne<S extends z.ZodObject>(schema: S) {
  return schema.refine((value) => countOf(value, ['burst', 'probability']) < 2, 'burst or probability, not both');
}

const expiry = (longest: number) =>
  z
    .strictObject({
      /** An action: all that was issued so far is expired. */
      expire_issued: z.literal(true).optional(),
      lifetime_seconds: z.int().min(1).max(longest).optional(),
      match,
    })
    .refine((value) => countOf(value, ['expire_issued', 'lifetime_seconds']) > 0, 'expire_issued or lifetime_seconds');

export const switches = {
  token_expiry: expiry(bounds.seconds),
  rate_limit: oneOf(
    z.strictObject({
      burst: calls.optional(),
      for_seconds: seconds.optional(),
      limit: z.int().min(0).max(bounds.calls).optional(),
      window_seconds: seconds.optional(),
      retry_after: z.int().min(0).max(bounds.seconds).optional(),
      match,
    }),
    [['burst'], ['for_seconds'], ['limit', 'window_seconds']],
  ),
  inactive_pags: oneOf(
    z.strictObject({ all: z.literal(true).optional(), ids: z.array(z.guid().toLowerCase()).min(1).optional(), match }),
    [['all'], ['ids']],
  ),
  label_expiry: expiry(bounds.labelSeconds),
  missing_permission: z.strictObject({ permissions: z.array(z.enum(permissions)).min(1), match }),
  server_error: atMostOne(z.strictObject({ burst: calls.optional(), probability: probability.optional(), match })),
  latency: oneOf(
    z.strictObject({
      milliseconds: milliseconds.optional(),
      min: milliseconds.optional(),
      max: milliseconds.optional(),
      probability: probability.optional(),
      match,
    }),
    [['milliseconds'], ['min', 'max']],
  ).refine(({ min = 0, max = min }) => min <= max, { error: 'a max of at least min', path: ['max'] }),
  connection: atMostOne(z.strictObject({ drop, burst: calls.optional(), probability: probability.optional(), match })),
  maintenance: z.strictObject({ for_seconds: seconds, match }),
} as const satisfies Record<SwitchName, z.ZodType>;

export type SwitchSettings = { readonly [Name in SwitchName]: z.output<(typeof switches)[Name]> };

/** Some of the switches, each whole: what a scenario sets. */
export const switchesSet = z.strictObject(switches).partial();

const nullable = <S extends z.ZodType>(schema: S) => schema.nullable();
/** PATCH …/switches: each named switch is replaced whole, null turns it off. */
export const switchesPatch = z
  .strictObject({
    token_expiry: nullable(switches.token_expiry),
    rate_limit: nullable(switches.rate_limit),
    inactive_pags: nullable(switches.inactive_pags),
    label_expiry: nullable(switches.label_expiry),
    missing_permission: nullable(switches.missing_permission),
    server_error: nullable(switches.server_error),
    latency: nullable(switches.latency),
    connection: nullable(switches.connection),
    maintenance: nullable(switches.maintenance),
  })
  .partial();
export type SwitchesPatch = z.output<typeof switchesPatch>;

/** What a switch shows besides its settings: what became of it, and what remains. */
const shown = {
  hits: z.int().optional(),
  remaining: z.int().optional(),
  /** When its window ends, by the sandbox's clock. */
  ends_at: z.iso.datetime().optional(),
  /** The scenario that set it. */
  scenario: z.string().optional(),
};
const shownSwitch = z.looseObject(shown).nullable();
/** GET …/switches: every switch; null is off. */
export const switchesShown = z.strictObject({
  token_expiry: shownSwitch,
  rate_limit: shownSwitch,
  inactive_pags: shownSwitch,
  label_expiry: shownSwitch,
  missing_permission: shownSwitch,
  server_error: shownSwitch,
  latency: shownSwitch,
  connection: shownSwitch,
  maintenance: shownSwitch,
});
