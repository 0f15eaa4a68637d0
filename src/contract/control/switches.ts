// Switches, each a named fault that a tester turns on, and faults of the tester's own: a status, a delay or a broken
// connection for matching requests.
import { z } from 'zod';
import { limits } from '../limits.ts';
import { withNearest } from '../nearest.ts';
import { canBreak, permissions, refusalsOf } from '../operation.ts';
import { operationList } from '../operations.ts';
import { docVariants, docWays } from '../schema.ts';
import { bounds } from './bounds.ts';
import { labelMatch, operationsOf, requestMatch } from './match.ts';
import { type SwitchName, switchNames } from './switch-names.ts';

const calls = z.int().min(1).max(bounds.calls);
const seconds = z.int().min(1).max(bounds.seconds);
const milliseconds = z.number().min(0).max(bounds.delayMilliseconds);
const match = requestMatch.optional().describe('which calls to affect; default: all');
const matchOfLabels = labelMatch.optional().describe('which calls and downloads to affect; default: all');
const burst = calls.optional().describe('number of calls to affect, starting with the next one');
const chance = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .describe("probability for each matching call, from 0 to 1; drawn from the sandbox's seed");
const retryAfter = z.int().min(0).max(bounds.seconds).optional();

/** When the connection breaks. */
const drop = z
  .enum(['before_processing', 'after_processing', 'mid_body'])
  .describe(
    'when the connection breaks: before the call has any effect, after it had its effect (an order is stored, its ' +
      'response is lost), or in the middle of the response body',
  );
export type Drop = z.output<typeof drop>;

/** A status, a delay and `before_processing` come before the service has answered: they cannot wait for its success. */
const dropsAfterSuccess = ['after_processing', 'mid_body'] as const satisfies readonly Drop[];
const afterSuccess = z.literal('success');
const afterSuccessWords =
  '`"success"`: affect and count only calls that the service answers with 2xx; needs `drop` `after_processing` or ' +
  '`mid_body`';

/** Whether an override with `after: "success"` only breaks the connection, after the call was processed. */
const canWait = ({ after, drop }: { readonly after?: unknown; readonly drop?: Drop | undefined }): boolean =>
  after !== 'success' || dropsAfterSuccess.some((one) => one === drop);
const cannotWait = { error: '"success" only with drop after_processing or mid_body', path: ['after'] };

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

const burstVariants = [{ without: ['probability'] }, { required: ['probability'], without: ['burst'] }];

function burstOrProbability<S extends z.ZodObject>(schema: S, variants: typeof burstVariants = burstVariants) {
  return schema
    .refine((value) => countOf(value, ['burst', 'probability']) < 2, 'either burst or probability, not both')
    .meta({ override: docVariants(variants) });
}

/** For documents: without `after`, or with it and a fitting `drop`. */
const connectionVariants = burstVariants.flatMap((variant) => [
  { ...variant, without: [...variant.without, 'after'] },
  {
    ...variant,
    required: [...(variant.required ?? []), 'after'],
    properties: { drop: { type: 'string', enum: dropsAfterSuccess } },
  },
]);

/** A switch that expires `what`, or changes its lifetime. */
const expiry = <Match extends z.ZodOptional>(
  what: string,
  usualSeconds: number,
  longestSeconds: number,
  match: Match,
) =>
  z
    .strictObject({
      expire_issued: z
        .literal(true)
        .optional()
        .describe(
          `expires every ${what} issued so far, permanently; with a \`match\`, only for matching calls while the ` +
            'switch is on',
        ),
      lifetime_seconds: z
        .int()
        .min(1)
        .max(longestSeconds)
        .optional()
        .describe(`lifetime in seconds of every ${what} issued from now on; ${usualSeconds} without the switch`),
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
  token_expiry: expiry('access token', limits.accessTokenSeconds, bounds.seconds, match).describe(
    '401 `Token expired` for expired access tokens; a new login or refresh gives a valid one',
  ),
  rate_limit: oneOf(
    z.strictObject({
      burst,
      for_seconds: seconds.optional().describe("seconds during which all calls are refused, on the sandbox's clock"),
      limit: z
        .int()
        .min(0)
        .max(bounds.calls)
        .optional()
        .describe('number of calls that pass in each window; assumption `rate_limit_scope`: of each user, or of all'),
      window_seconds: seconds.optional().describe('length of a window in seconds; it starts with the first call in it'),
      retry_after: retryAfter.describe(
        '`Retry-After` in seconds; default: the seconds left of `for_seconds` or of the window, ' +
          `${limits.retryAfterSeconds} for a burst`,
      ),
      match,
    }),
    [['burst'], ['for_seconds'], ['limit', 'window_seconds']],
  ).describe('429 with `Retry-After`; set `burst`, `for_seconds`, or `limit` and `window_seconds`'),
  inactive_pags: oneOf(
    z.strictObject({
      all: z.literal(true).optional().describe('all PAGs'),
      ids: z.array(z.guid().toLowerCase()).min(1).optional().describe('ids of the PAGs'),
      match,
    }),
    [['all'], ['ids']],
  ).describe(
    'PAGs count as Inactive when an order is created or modified, so its status is Needs Changes; set `all` or `ids`',
  ),
  label_expiry: expiry('label URL', limits.labelSeconds, bounds.labelSeconds, matchOfLabels).describe(
    '403 from the storage for expired label URLs',
  ),
  missing_permission: z
    .strictObject({
      permissions: z.array(z.enum(permissions)).min(1).describe('permissions that every user lacks'),
      match,
    })
    .describe('403 for calls that need one of the `permissions`, after the token and the body were checked'),
  server_error: burstOrProbability(z.strictObject({ burst, probability: chance, match })).describe(
    '500 for every call, or only for some of them with `burst` or `probability`',
  ),
  latency: oneOf(
    z.strictObject({
      milliseconds: milliseconds.optional().describe('delay in milliseconds'),
      min: milliseconds.optional().describe('shortest delay in milliseconds'),
      max: milliseconds.optional().describe('longest delay in milliseconds'),
      probability: chance,
      match,
    }),
    [['milliseconds'], ['min', 'max']],
  )
    .refine(({ min = 0, max = min }) => min <= max, { error: 'a max that is not less than min', path: ['max'] })
    .describe('a delay in real time; set `milliseconds`, or `min` and `max`'),
  connection: burstOrProbability(
    z.strictObject({
      drop,
      after: afterSuccess.optional().describe(afterSuccessWords),
      burst,
      probability: chance,
      match,
    }),
    connectionVariants,
  )
    .refine(canWait, cannotWait)
    .describe('a broken connection for every call, or only for some of them with `burst` or `probability`'),
  maintenance: z
    .strictObject({ for_seconds: seconds.describe("duration in seconds, on the sandbox's clock"), match })
    .describe('500 for all calls until `for_seconds` have passed'),
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
  connection: { connection: { drop: 'after_processing', after: 'success', burst: 1 } },
  maintenance: { maintenance: { for_seconds: 60 } },
  off: { rate_limit: null },
} as const satisfies Record<SwitchName | 'off', SwitchesPatch>;

/** The fields that an active switch shows besides its settings. */
const progress = z.strictObject({
  hits: z.int().optional().describe('number of calls that it affected'),
  remaining: z
    .int()
    .optional()
    .describe('calls left of the burst, or calls that the busiest user can still make in the window'),
  ends_at: z.iso.datetime().optional().describe("when the switch or its window ends, on the sandbox's clock"),
  scenario: z.string().optional().describe('scenario that set it'),
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
      .refine(({ min, max }) => min <= max, { error: 'a max that is not less than min', path: ['max'] }),
    z.strictObject({ median: milliseconds, sigma: z.number().min(0).max(5) }),
  ],
  '{"milliseconds"}, {"min", "max"} or {"median", "sigma"} in milliseconds',
);

/** The statuses of refusals (HTTP-2), and those of a gateway in front of the service. */
const faultStatuses = [400, 401, 403, 404, 422, 429, 500, 502, 503, 504] as const;
const faultStatus = z.literal(faultStatuses);

/** The id of a fault. It cannot be the name of a switch. */
export const faultId = z
  .string()
  // Longer than the name of a scenario, with which the ids of its faults begin.
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,126}$/,
    'an id such as lost-orders: lowercase letters, digits, ".", "_" and "-", at most 127',
  )
  .refine((id) => !Object.hasOwn(switches, id), 'an id that is not the name of a switch')
  .meta({ not: { type: 'string', enum: [...switchNames] } });

/** The rules that a request can break. A fault with such a rule affects only the operations that can break it. */
const faultRules = [...new Set(operationList.flatMap(refusalsOf))];

const callsBefore = {
  type: 'integer',
  minimum: 1,
  maximum: bounds.calls,
  description: 'number of calls that pass first',
};

/** For documents: a 429, another status, a rule, a broken connection, one after a success, or a delay alone. */
const faultVariants = [
  {
    properties: { status: { type: 'number', const: 429 }, after: callsBefore },
    required: ['status'],
    without: ['rule', 'drop'],
  },
  {
    properties: {
      status: { type: 'number', enum: faultStatuses.filter((status) => status !== 429) },
      after: callsBefore,
    },
    required: ['status'],
    without: ['rule', 'drop', 'retry_after'],
  },
  { properties: { after: callsBefore }, required: ['rule'], without: ['status', 'drop', 'retry_after'] },
  { properties: { after: callsBefore }, required: ['drop'], without: ['status', 'rule', 'retry_after'] },
  {
    properties: {
      drop: { type: 'string', enum: dropsAfterSuccess },
      after: { type: 'string', const: 'success' },
    },
    required: ['drop', 'after'],
    without: ['status', 'rule', 'retry_after', 'delay'],
  },
  { properties: { after: callsBefore }, required: ['delay'], without: ['status', 'rule', 'drop', 'retry_after'] },
];

export const fault = z
  .strictObject({
    id: faultId.optional().describe('a name that no switch has; default: `fault-1` and so on'),
    match,
    status: faultStatus
      .optional()
      .describe('status of the response: an error of the contract, or of a gateway (502, 503, 504)'),
    rule: z
      .enum(faultRules, {
        error: ({ input }) =>
          withNearest('a rule that a request can break; for a 429 or a 500, set "status"', String(input), faultRules),
      })
      .optional()
      .describe(
        'answer as this rule would, such as `ORD-21`: its status, message and details under the assumptions of the ' +
          'sandbox, with sample names; affects only operations that can break the rule',
      ),
    retry_after: retryAfter.describe(
      '`Retry-After` of a 429, in seconds; default: the seconds left of `for_seconds`, ' +
        `else ${limits.retryAfterSeconds}`,
    ),
    delay: delay
      .optional()
      .describe(
        'delay in real time, in milliseconds: `{"milliseconds"}`, `{"min", "max"}` for a uniform distribution, or ' +
          '`{"median", "sigma"}` for a lognormal one; `sigma` is the standard deviation of its logarithm',
      ),
    drop: drop.optional(),
    times: calls.optional().describe('number of matching calls to affect'),
    after: z
      .union([calls, afterSuccess], 'a whole number of at least 1, or "success"')
      .optional()
      .describe(`number of matching calls that pass first; or ${afterSuccessWords}, and no \`delay\``),
    for_seconds: seconds.optional().describe("duration in seconds, on the sandbox's clock"),
    probability: chance,
  })
  .refine(
    (value) => countOf(value, ['rule', 'status', 'delay', 'drop']) > 0,
    'at least one of rule, status, delay and drop',
  )
  .refine((value) => countOf(value, ['rule', 'status', 'drop']) < 2, 'only one of rule, status and drop')
  .refine(({ rule, match = {} }) => !rule || operationsOf(match).some((operation) => canBreak(operation, rule)), {
    error: ({ input }) => {
      const selected = operationsOf((input as { match: z.output<typeof requestMatch> }).match);
      const possible = faultRules.filter((rule) => selected.some((operation) => canBreak(operation, rule)));
      if (possible.length === 0) return 'no rule, because "match" selects no operation';
      return `a rule that ${selected.map(({ id }) => id).join(' or ')} can break: ${possible.join(', ')}`;
    },
    path: ['rule'],
  })
  .refine(({ status, retry_after }) => retry_after === undefined || status === 429, {
    error: 'no retry_after unless status is 429',
    path: ['retry_after'],
  })
  .refine((value) => canWait(value) && (value.after !== 'success' || value.delay === undefined), {
    ...cannotWait,
    error: `${cannotWait.error}, and without delay`,
  })
  .meta({ override: docVariants(faultVariants, 'anyOf') })
  .describe(
    'a rule of your own for matching calls: a status, a rule of the contract or a broken connection, a delay, or a ' +
      'delay and one of them',
  );
export type Fault = z.output<typeof fault>;
