// Switches, each a named fault that a tester turns on, and faults of the tester's own: a status, a delay or a broken
// connection for matching requests.
import { z } from 'zod';
import { limits } from '../limits.ts';
import { permissions } from '../operation.ts';
import { docVariants, docWays } from '../schema.ts';
import { bounds } from './bounds.ts';
import { requestMatch } from './match.ts';
import { type SwitchName, switchNames } from './switch-names.ts';

const calls = z.int().min(1).max(bounds.calls);
const seconds = z.int().min(1).max(bounds.seconds);
const milliseconds = z.number().min(0).max(bounds.delayMilliseconds);
const match = requestMatch.optional().describe('the calls that are meant; all where it is not said');
const burst = calls.optional().describe('so many of the next calls');
const chance = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .describe("the chance of each matching call, from 0 to 1, by the sandbox's seed");
const retryAfter = z.int().min(0).max(bounds.seconds).optional();

/** Where the connection breaks. */
const drop = z
  .enum(['before_processing', 'after_processing', 'mid_body'])
  .describe(
    'where the connection breaks: before the call has any effect, after it had its effect (an order is stored, its ' +
      'answer is lost), or in the middle of the answer',
  );
export type Drop = z.output<typeof drop>;

/** How many of these keys are set. */
const countOf = (value: object, keys: readonly string[]): number =>
  keys.filter((key) => (value as Readonly<Record<string, unknown>>)[key] !== undefined).length;

/** Requires exactly one of these sets of keys. */
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

function burstOrProbability<S extends z.ZodObject>(schema: S) {
  return schema
    .refine((value) => countOf(value, ['burst', 'probability']) < 2, 'burst or probability, not both')
    .meta({ override: docVariants([{ without: ['probability'] }, { required: ['probability'], without: ['burst'] }]) });
}

/** A switch that expires `what`, or changes its lifetime. */
const expiry = (what: string, usualSeconds: number, longestSeconds: number) =>
  z
    .strictObject({
      expire_issued: z
        .literal(true)
        .optional()
        .describe(
          `every ${what} issued so far is expired, for good; with a \`match\`, for the calls it matches while the ` +
            'switch is on',
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
    .meta({
      override: docVariants([
        { required: ['expire_issued'] },
        { required: ['lifetime_seconds'], without: ['expire_issued'] },
      ]),
    });

/** Settings by switch, in the order of the documentation. */
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
      retry_after: retryAfter.describe(
        `\`Retry-After\` in seconds, whatever the window; ${limits.retryAfterSeconds} where it is not said`,
      ),
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
  server_error: burstOrProbability(z.strictObject({ burst, probability: chance, match })).describe(
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
  connection: burstOrProbability(z.strictObject({ drop, burst, probability: chance, match })).describe(
    'a broken connection, by `burst` or by `probability`; of every call where neither is said',
  ),
  maintenance: z
    .strictObject({ for_seconds: seconds.describe("how long, by the sandbox's clock"), match })
    .describe('500 for all calls, for a time'),
} as const satisfies Record<SwitchName, z.ZodObject>;

export type SwitchSettings = { readonly [Name in SwitchName]: z.output<(typeof switches)[Name]> };

/** Some of the switches, each whole: what a scenario sets. */
export const switchesSet = z.strictObject(switches).partial();

const mapSwitches = (schemaOf: (settings: z.ZodObject) => z.ZodType) =>
  Object.fromEntries(Object.entries(switches).map(([name, settings]) => [name, schemaOf(settings)]));

/** PATCH …/switches: replaces each named switch; null turns it off. */
export const switchesPatch = z
  .strictObject(
    mapSwitches((settings) => settings.nullable()) as {
      readonly [Name in SwitchName]: z.ZodNullable<(typeof switches)[Name]>;
    },
  )
  .partial();
export type SwitchesPatch = z.output<typeof switchesPatch>;

/** An example for each switch. */
export const switchExamples = {
  rate_limit: { rate_limit: { burst: 3 } },
  token_expiry: { token_expiry: { expire_issued: true } },
  inactive_pags: { inactive_pags: { all: true } },
  label_expiry: { label_expiry: { expire_issued: true } },
  missing_permission: { missing_permission: { permissions: ['orders:write'] } },
  server_error: { server_error: { burst: 1, match: { operation: 'orders.create' } } },
  latency: { latency: { milliseconds: 200 } },
  connection: { connection: { drop: 'after_processing', burst: 1 } },
  maintenance: { maintenance: { for_seconds: 60 } },
  off: { rate_limit: null },
} as const satisfies Record<SwitchName | 'off', SwitchesPatch>;

/** What a switch that is on shows besides its settings. */
const progress = z.strictObject({
  hits: z.int().optional().describe('calls it met'),
  remaining: z.int().optional().describe('calls of a burst that are left, or calls that the window still lets pass'),
  ends_at: z.iso.datetime().optional().describe("when it or its window ends, by the sandbox's clock"),
  scenario: z.string().optional().describe('the scenario that set it'),
});
/** GET …/switches: every switch; null is off. */
export type SwitchesJson = {
  readonly [Name in SwitchName]: (SwitchSettings[Name] & z.output<typeof progress>) | null;
};
export const switchesSchema = z.strictObject(
  mapSwitches((settings) => settings.extend(progress.shape).nullable()),
) as unknown as z.ZodType<SwitchesJson>;

const delay = z.union(
  [
    z.strictObject({ milliseconds }),
    z
      .strictObject({ min: milliseconds, max: milliseconds })
      .refine(({ min, max }) => min <= max, { error: 'a max of at least min', path: ['max'] }),
    z.strictObject({ median: milliseconds, sigma: z.number().min(0).max(5) }),
  ],
  '{"milliseconds"}, {"min", "max"} or {"median", "sigma"} in milliseconds',
);

/** The statuses of refusals (HTTP-2). */
const faultStatuses = [400, 401, 403, 404, 422, 429, 500] as const;
const faultStatus = z.literal(faultStatuses);

/** The id of a fault. It is no switch's name. */
export const faultId = z
  .string()
  // Longer than the name of a scenario, with which the ids of its faults begin.
  .regex(/^[a-z0-9][a-z0-9._-]{0,126}$/, 'an id such as lost-orders: lower-case letters, digits, ".", "_", "-"')
  .refine((id) => !Object.hasOwn(switches, id), 'an id that is no name of a switch')
  .meta({ not: { enum: [...switchNames] } });

/** For documents: a 429, another status, a broken connection, or a delay alone. */
const faultVariants = [
  { properties: { status: { const: 429 } }, required: ['status'], without: ['drop'] },
  {
    properties: { status: { enum: faultStatuses.filter((status) => status !== 429) } },
    required: ['status'],
    without: ['drop', 'retry_after'],
  },
  { required: ['drop'], without: ['status', 'retry_after'] },
  { required: ['delay'], without: ['status', 'drop', 'retry_after'] },
];

export const fault = z
  .strictObject({
    id: faultId.optional().describe('its name, none that a switch has; `fault-1` and so on where it is not said'),
    match,
    status: faultStatus.optional().describe('what it answers; the contract has no other refusals'),
    retry_after: retryAfter.describe(
      `\`Retry-After\` of a 429, in seconds; ${limits.retryAfterSeconds} where it is not said`,
    ),
    delay: delay
      .optional()
      .describe(
        'a delay in real time, in milliseconds: `{"milliseconds"}`, `{"min", "max"}` for one between two bounds, or ' +
          '`{"median", "sigma"}` for a lognormal one by its median and the sigma of its logarithm',
      ),
    drop: drop.optional(),
    times: calls.optional().describe('how many matching calls it meets, then never again'),
    after: calls.optional().describe('how many matching calls it lets pass first'),
    for_seconds: seconds.optional().describe("how long it holds, by the sandbox's clock"),
    probability: chance,
  })
  .refine((value) => countOf(value, ['status', 'delay', 'drop']) > 0, 'at least one of status, delay, drop')
  .refine((value) => countOf(value, ['status', 'drop']) < 2, 'a status or a drop, not both')
  .refine(({ status, retry_after }) => retry_after === undefined || status === 429, {
    error: 'retry_after beside status 429 only',
    path: ['retry_after'],
  })
  .meta({ override: docVariants(faultVariants) })
  .describe('a rule of your own: a status, a delay or a broken connection, or a delay with one of the others');
export type Fault = z.output<typeof fault>;
