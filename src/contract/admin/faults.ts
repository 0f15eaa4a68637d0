// Faults: rules that meet matching requests with a status, a delay or a broken connection.
import { z } from 'zod';
import { limits } from '../limits.ts';
import { docVariants } from '../shown.ts';
import { bounds } from './bounds.ts';
import { requestMatch } from './match.ts';
import { switchNames } from './switch-names.ts';

export const calls = z.int().min(1).max(bounds.calls);
export const seconds = z.int().min(1).max(bounds.seconds);
export const milliseconds = z.number().min(0).max(bounds.delayMilliseconds);

/** Of a switch or fault: whether it meets a call. */
export const chance = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .describe("the chance of each matching call, from 0 to 1, by the sandbox's seed");

/** How many of these keys an object has. */
export const countOf = (value: object, keys: readonly string[]): number =>
  keys.filter((key) => (value as Readonly<Record<string, unknown>>)[key] !== undefined).length;

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
export type Delay = z.output<typeof delay>;

export const drop = z
  .enum(['before_processing', 'after_processing', 'mid_body'])
  .describe(
    'where the connection breaks: before the call has any effect, after it had its effect (an order is stored, its answer is lost), or in the middle of the answer',
  );
export type Drop = z.output<typeof drop>;

/** The statuses of refusals (HTTP-2). */
const faultStatuses = [400, 401, 403, 404, 422, 429, 500] as const;
const faultStatus = z.literal(faultStatuses);

/** Names of faults: none that a switch has. */
export const faultId = z
  .string()
  // Longer than a scenario's name, which the ids of its faults begin with.
  .regex(/^[a-z0-9][a-z0-9._-]{0,126}$/, 'an id such as lost-orders: lower-case letters, digits, ".", "_", "-"')
  .refine((id) => !(switchNames as readonly string[]).includes(id), 'an id that is no name of a switch')
  .meta({ not: { enum: [...switchNames] } });

/** What a fault does: a 429, another status, a broken connection, or a delay alone. */
const faultVariants = [
  { properties: { status: { const: 429 }, drop: false }, required: ['status'] },
  {
    properties: { status: { enum: faultStatuses.filter((status) => status !== 429) }, drop: false, retry_after: false },
    required: ['status'],
  },
  { properties: { status: false, retry_after: false }, required: ['drop'] },
  { properties: { status: false, drop: false, retry_after: false }, required: ['delay'] },
];

export const fault = z
  .strictObject({
    id: faultId.optional().describe('its name, none that a switch has; `fault-1` and so on where it is not said'),
    match: requestMatch.optional().describe('the calls that are meant; all where it is not said'),
    status: faultStatus.optional().describe('what it answers; the contract has no other refusals'),
    retry_after: z
      .int()
      .min(0)
      .max(bounds.seconds)
      .optional()
      .describe(`\`Retry-After\` of a 429, in seconds; ${limits.retryAfterSeconds} where it is not said`),
    delay: delay
      .optional()
      .describe(
        'a delay in real time, in milliseconds: `{"milliseconds"}`, `{"min", "max"}` for one between two bounds, or `{"median", "sigma"}` for a lognormal one by its median and the sigma of its logarithm',
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
