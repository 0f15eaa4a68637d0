// The switches: what a tester bends by name. Each is replaced whole; null turns it off.
import { z } from 'zod';
import { limits } from '../limits.ts';
import { permissions } from '../operation.ts';
import { docAtMostOne, docOneOrBoth, docWays } from '../shown.ts';
import { bounds } from './bounds.ts';
import { calls, chance, countOf, drop, milliseconds, seconds } from './faults.ts';
import { requestMatch } from './match.ts';
import type { SwitchName } from './switch-names.ts';

const match = requestMatch.optional().describe('the calls that are meant; all where it is not said');
const burst = calls.optional().describe('so many of the next calls');

/** Exactly one of these ways, each a set of keys that stand together. */
function oneOf<S extends z.ZodObject>(schema: S, ways: readonly (readonly string[])[]) {
  const words = `one of ${ways.map((way) => way.join(' + ')).join(', ')}`;
  const all = ways.flat();
  return schema
    .refine(
      (value) => ways.some((way) => countOf(value, way) === way.length && countOf(value, all) === way.length),
      words,
    )
    .meta({ override: docWays(ways) });
}

/** Each call, the next `burst` of them, or each by its chance. */
function atMostOne<S extends z.ZodObject>(schema: S) {
  return schema
    .refine((value) => countOf(value, ['burst', 'probability']) < 2, 'burst or probability, not both')
    .meta({ override: docAtMostOne('burst', 'probability') });
}

/** What expires: its name, how long it lives where nothing else is said, and the longest it may. */
const expiry = (what: string, usualSeconds: number, longestSeconds: number) =>
  z
    .strictObject({
      expire_issued: z
        .literal(true)
        .optional()
        .describe(
          `every ${what} issued so far is expired, for good; with a \`match\`, for the calls it matches while the switch is on`,
        ),
      lifetime_seconds: z
        .int()
        .min(1)
        .max(longestSeconds)
        .optional()
        .describe(`how long every ${what} issued from now on lives; ${usualSeconds} without the switch`),
      match,
    })
    .refine((value) => countOf(value, ['expire_issued', 'lifetime_seconds']) > 0, 'expire_issued or lifetime_seconds')
    .meta({ override: docOneOrBoth('expire_issued', 'lifetime_seconds') });

export const switches = {
  token_expiry: expiry('access token', limits.accessTokenSeconds, bounds.seconds).describe(
    'expired access tokens are 401 `Token expired`; new logins and refreshes are good',
  ),
  rate_limit: oneOf(
    z.strictObject({
      burst,
      for_seconds: seconds.optional().describe("all calls for so long, by the sandbox's clock"),
      limit: z.int().min(0).max(bounds.calls).optional().describe('the calls that a window lets pass'),
      window_seconds: seconds.optional().describe('the length of a window, which begins with the first call in it'),
      retry_after: z
        .int()
        .min(0)
        .max(bounds.seconds)
        .optional()
        .describe(`\`Retry-After\` in seconds, whatever the window; ${limits.retryAfterSeconds} where it is not said`),
      match,
    }),
    [['burst'], ['for_seconds'], ['limit', 'window_seconds']],
  ).describe('429 with `Retry-After`, by `burst`, by `for_seconds`, or by `limit` and `window_seconds`'),
  inactive_pags: oneOf(
    z.strictObject({
      all: z.literal(true).optional().describe('all PAGs'),
      ids: z.array(z.guid().toLowerCase()).min(1).optional().describe('the PAGs with these ids'),
      match,
    }),
    [['all'], ['ids']],
  ).describe('PAGs, by `all` or by `ids`, count as Inactive when an order is made or modified: it is Needs Changes'),
  label_expiry: expiry('label URL', limits.labelSeconds, bounds.labelSeconds).describe(
    'expired label URLs are refused as the storage refuses them',
  ),
  missing_permission: z
    .strictObject({
      permissions: z.array(z.enum(permissions)).min(1).describe('the permissions that no user has'),
      match,
    })
    .describe('403 for calls that need one of the `permissions`'),
  server_error: atMostOne(z.strictObject({ burst, probability: chance, match })).describe(
    '500, by `burst` or by `probability`; every call where neither is said',
  ),
  latency: oneOf(
    z.strictObject({
      milliseconds: milliseconds.optional().describe('the delay'),
      min: milliseconds.optional().describe('the shortest delay, in milliseconds'),
      max: milliseconds.optional().describe('the longest delay, in milliseconds'),
      probability: chance,
      match,
    }),
    [['milliseconds'], ['min', 'max']],
  )
    .refine(({ min = 0, max = min }) => min <= max, { error: 'a max of at least min', path: ['max'] })
    .describe('a delay in real time, by `milliseconds`, or by `min` and `max`'),
  connection: atMostOne(z.strictObject({ drop, burst, probability: chance, match })).describe(
    'a broken connection, by `burst` or by `probability`; of every call where neither is said',
  ),
  maintenance: z
    .strictObject({ for_seconds: seconds.describe("how long, by the sandbox's clock"), match })
    .describe('500 for all calls, for a time'),
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
  hits: z.int().optional().describe('calls it met'),
  remaining: z.int().optional().describe('calls of a burst that are left, or calls that the window still lets pass'),
  ends_at: z.iso.datetime().optional().describe("when it or its window ends, by the sandbox's clock"),
  scenario: z.string().optional().describe('the scenario that set it'),
};
const shownOf = <Shape extends z.ZodRawShape>(setting: z.ZodObject<Shape>) =>
  z.strictObject<Shape & typeof shown>({ ...setting.shape, ...shown }).nullable();
/** GET …/switches: every switch; null is off. */
export const switchesSchema = z.strictObject({
  token_expiry: shownOf(switches.token_expiry),
  rate_limit: shownOf(switches.rate_limit),
  inactive_pags: shownOf(switches.inactive_pags),
  label_expiry: shownOf(switches.label_expiry),
  missing_permission: shownOf(switches.missing_permission),
  server_error: shownOf(switches.server_error),
  latency: shownOf(switches.latency),
  connection: shownOf(switches.connection),
  maintenance: shownOf(switches.maintenance),
});
export type SwitchesJson = z.output<typeof switchesSchema>;
