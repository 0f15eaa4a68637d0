// `match`: selects requests by what they hold. The same everywhere in the control API.
import { z } from 'zod';
import { isTemplate, patternOf, storagePath } from '../addresses.ts';
import { answerStatusNames } from '../operation.ts';
import { operationList, operations } from '../operations.ts';
import type { DeepReadonly } from '../records.ts';
import { type RuleId, rules } from '../rules.ts';
import { bounds } from './bounds.ts';
import { needs } from './outcomes.ts';

export const operationId = z.enum(Object.keys(operations) as (keyof typeof operations)[]);
export const ruleId = z.enum(Object.keys(rules) as RuleId[]);

const path = z.string().refine(isTemplate, 'a path with at most one {name} between two slashes');

/** False if the value has more than `left.values` values, nested ones included. */
function isWithin(value: unknown, left: { values: number }): boolean {
  left.values -= 1;
  if (left.values < 0) return false;
  return typeof value !== 'object' || value === null || Object.values(value).every((part) => isWithin(part, left));
}

const body = z
  .unknown()
  .refine(
    (value) => isWithin(value, { values: bounds.matchValues }),
    `at most ${bounds.matchValues} values, including nested ones`,
  );

const requestFields = {
  /** An operation's id, such as `orders.create`. */
  operation: operationId.optional(),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).optional(),
  /** A literal path or the contract's template, without the base URL. */
  path: path.startsWith('/', 'a path that begins with /').optional(),
  /** Matches a body that has at least these fields. Lists match item by item, other values if they are equal. */
  body: body.optional(),
};

const operationPaths = operationList.map((operation) => ({ operation, pattern: patternOf(operation.path) }));
const isOperationPath = (path: string): boolean => operationPaths.some(({ pattern }) => pattern.test(path));
const labelPaths = new RegExp(`^${storagePath}/[^?]+$`);
const servicePath = 'a path of the contract such as /v2/orders/{orderId}, without base URL and query';

/** Selects requests to operations before they are answered. Their paths are literal, or the contract's templates. */
export const requestMatch = z.strictObject({
  ...requestFields,
  path: path
    .refine(isOperationPath, {
      error: ({ input }) =>
        labelPaths.test(String(input))
          ? `${servicePath}; of the switches and faults only label_expiry affects downloads of labels`
          : servicePath,
    })
    .optional(),
});

/** Selects also downloads of labels. */
export const labelMatch = z.strictObject({
  ...requestFields,
  path: path
    .refine((one) => isOperationPath(one) || labelPaths.test(one), `${servicePath}; or /_storage/labels/{file}`)
    .optional(),
});

/** The operations that a match can select. */
export const operationsOf = ({ operation: id, method, path: wanted }: z.output<typeof requestMatch>) =>
  operationPaths
    .filter(
      ({ operation, pattern }) =>
        (id === undefined || id === operation.id) &&
        (method === undefined || (method === 'HEAD' ? 'GET' : method) === operation.method) &&
        (wanted === undefined || pattern.test(wanted)),
    )
    .map(({ operation }) => operation);

/** The statuses that only the storage of labels answers with. */
const storageStatuses = [206, 304, 412, 416];
const answerStatuses = [...Object.keys(answerStatusNames).map(Number), ...storageStatuses].sort((a, b) => a - b);

/** Limits a number to the statuses that an answer can have. */
export const asAnswerStatus = (number: z.ZodType<number>) =>
  number
    .refine(
      (status) => answerStatuses.includes(status),
      `a status that the service or its storage answers with: ${answerStatuses.join(', ')}`,
    )
    .meta({ override: { type: 'integer', enum: answerStatuses } });

/** Selects requests by what they hold and how they were answered. */
export const match = z.strictObject({
  ...requestFields,
  status: asAnswerStatus(z.int()).optional(),
  /** A rule that the request was refused by. */
  rule: ruleId.optional(),
});
export type Match = z.output<typeof match>;

const whole = z.int().min(0);

/** An expected number of requests. */
export const count = z.union(
  [
    whole,
    z
      .strictObject({ at_least: whole.optional(), at_most: whole.optional() })
      .refine(({ at_least, at_most }) => at_least !== undefined || at_most !== undefined, 'at_least or at_most')
      .refine(({ at_least = 0, at_most = at_least }) => at_least <= at_most, {
        error: 'a number that is not less than at_least',
        path: ['at_most'],
      }),
  ],
  'a number, or {"at_least", "at_most"}',
);
export type Count = z.output<typeof count>;

export interface Bounds {
  readonly least: number;
  readonly most: number;
}

export function boundsOf(count: DeepReadonly<Count>): Bounds {
  if (typeof count === 'number') return { least: count, most: count };
  return { least: count.at_least ?? 0, most: count.at_most ?? Number.POSITIVE_INFINITY };
}

/** Requests that a correct client sends in a scenario. */
export const expectation = z.strictObject({ match, count, needs });
export type Expectation = z.output<typeof expectation>;
