// Faults: rules that meet matching requests with a status, a delay or a broken connection.
import { z } from 'zod';
import { bounds } from './bounds.ts';
import { requestMatch } from './match.ts';
import { switchNames } from './switch-names.ts';

export const calls = z.int().min(1).max(bounds.calls);
export const seconds = z.int().min(1).max(bounds.seconds);
export const milliseconds = z.number().min(0).max(bounds.delayMilliseconds);
export const probability = z.number().min(0).max(1);

/** How many of these keys an object has. */
export const countOf = (value: object, keys: readonly string[]): number =>
  keys.filter((key) => (value as Readonly<Record<string, unknown>>)[key] !== undefined).length;

/** A delay in real time: fixed, uniform between two bounds, or lognormal by its median and the sigma of its logarithm. */
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

/** Where a connection breaks: before the call has any effect, after it had its effect, or in the middle of the answer. */
export const drop = z.enum(['before_processing', 'after_processing', 'mid_body']);
export type Drop = z.output<typeof drop>;

/** The statuses of refusals (HTTP-2). */
const faultStatus = z.literal([400, 401, 403, 404, 422, 429, 500]);

/** Names of faults: none that a switch has. */
export const faultId = z
  .string()
  // Longer than a scenario's name, which the ids of its faults begin with.
  .regex(/^[a-z0-9][a-z0-9._-]{0,126}$/, 'an id such as lost-orders: lower-case letters, digits, ".", "_", "-"')
  .refine((id) => !(switchNames as readonly string[]).includes(id), 'an id that is no name of a switch');

export const fault = z
  .strictObject({
    id: faultId.optional(),
    match: requestMatch.optional(),
    status: faultStatus.optional(),
    /** Of a 429, in seconds; 60 where it is not said (LIM-1). */
    retry_after: z.int().min(0).max(bounds.seconds).optional(),
    delay: delay.optional(),
    drop: drop.optional(),
    /** How many matching calls it meets, then never again. */
    times: calls.optional(),
    /** How many matching calls it lets pass first. */
    after: calls.optional(),
    /** How long it holds, by the sandbox's clock. */
    for_seconds: seconds.optional(),
    /** Of each matching call, by the sandbox's seed. */
    probability: probability.optional(),
  })
  .refine((value) => countOf(value, ['status', 'delay', 'drop']) > 0, 'at least one of status, delay, drop')
  .refine((value) => countOf(value, ['status', 'drop']) < 2, 'a status or a drop, not both')
  .refine(({ status, retry_after }) => retry_after === undefined || status === 429, {
    error: 'retry_after beside status 429 only',
    path: ['retry_after'],
  });
export type Fault = z.output<typeof fault>;
