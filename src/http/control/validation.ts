// Validates a control request: first the JSON body's media type, size and depth, then query and body by the operation's own schemas.
import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { bounds } from '../../contract/control/bounds.ts';
import {
  type ControlOperation,
  ControlRefusal,
  idempotencyKey,
  requireValid,
  takesIdempotencyKey,
} from '../../contract/control/control-operation.ts';
import { parseFile } from '../../contract/fixtures.ts';
import { limits } from '../../contract/limits.ts';
import { type RuleId, rules } from '../../contract/rules.ts';
import { hex } from '../../domain/hashes.ts';
import type { Once } from '../../sandbox/idempotency.ts';
import { readBody } from '../body.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Exchange } from '../exchange.ts';
import { queryValues, urlParts } from '../urls.ts';

/** Maximum depth and number of values of a JSON body. */
export const jsonBounds = { bodyDepth: limits.bodyDepth, bodyValues: bounds.bodyValues };

type Schema = NonNullable<ControlOperation['body']>;

/** The middleware that validates an operation's query and body; handlers get both from `c.req.valid`. */
export function validatorsOf({ query, body, bodyBytes = limits.bodyBytes }: ControlOperation): MiddlewareHandler[] {
  const validators: MiddlewareHandler[] = [];
  if (query) validators.push(queryValidator(query));
  if (body)
    validators.push(
      jsonBody(bodyBytes),
      validator('json', body, (value) => parsed(body, value, 'json')),
    );
  return validators;
}

/** Reads the query as the service does: an empty name counts, and bytes that are no UTF-8 are replaced. */
const queryValidator =
  (schema: z.ZodType): MiddlewareHandler =>
  (context, next) => {
    const { search } = urlParts(context.req.url);
    return validator('query', schema, () => parsed(schema, queryValues(search), 'query'))(context, next);
  };

/**
 * `parse` throws the refusal here rather than in the validator's hook: `operate` refuses in the same words, and `parseFile` survives
 * bodies with more faults than zod can hand on.
 */
const validator = (
  target: 'query' | 'json',
  schema: z.ZodType,
  parse: (value: unknown) => unknown,
): MiddlewareHandler =>
  zValidator(target, schema, undefined, {
    validationFunction: (_, value) => ({ success: true, data: parse(value) }),
  });

/** The part of a request as its schema outputs it. @throws ControlRefusal 400 for a query, 422 for a body */
export function parsed(schema: Schema, content: unknown, target: 'query' | 'json'): unknown {
  const name = target === 'query' ? 'query' : 'body';
  return requireValid(parseFile(schema, { name, content }), target === 'query' ? 400 : 422);
}

/** Reads the body for the validator, which on its own would accept any size and depth, and take other media types for `{}`. */
const jsonBody = (bodyBytes: number): MiddlewareHandler => {
  return async (context, next) => {
    const { req } = context;
    const value = await readJson(context, bodyBytes);
    // The validator asks for `req.json()`: it gets the parsed value, so that no body is parsed twice.
    req.json = async <T>() => value as T;
    await next();
  };
};

/** An empty body counts as `{}`. @throws ControlRefusal 400, 413, 415 */
async function readJson(context: Exchange, bodyBytes: number): Promise<unknown> {
  const body = await readBody(context, { bodyBytes, ...jsonBounds });
  if ('value' in body && body.text === null) return {};
  if (!/^application\/json\s*(?:;|$)/i.test(context.req.raw.headers.get('content-type') ?? ''))
    throw new ControlRefusal(415, 'The control API takes JSON: send the header `Content-Type: application/json`');
  if ('value' in body) return body.value;
  throw refusalOf(body.refusal.judgedAs, bodyBytes);
}

function refusalOf(rule: RuleId, bodyBytes: number): ControlRefusal {
  if (rule === 'body_too_large')
    return new ControlRefusal(413, `The body of this operation has at most ${bodyBytes} bytes`);
  return new ControlRefusal(400, rules[rule === 'malformed_compression' ? rule : 'malformed_body'].message);
}

/**
 * The Idempotency-Key of a call, with a fingerprint of its operation, path parameters, query and body; undefined without the header.
 * @throws ControlRefusal 400 for an invalid key
 */
export function idempotencyOf(
  { hashes }: Pick<Dependencies, 'hashes'>,
  operation: ControlOperation,
  { headers }: Request,
  input: unknown,
): Once | undefined {
  const key = takesIdempotencyKey(operation) ? headers.get(idempotencyKey.header) : null;
  if (key === null) return undefined;
  if (!idempotencyKey.form.test(key)) throw new ControlRefusal(400, idempotencyKey.words);
  return { key, fingerprint: hex(hashes.sha256(JSON.stringify([operation.id, input]))) };
}
