// The parts of a control request: JSON bodies only, then the operation's own schemas. A fault is told as found and expected.
import { bounds } from '../../contract/admin/bounds.ts';
import type { ControlOperation } from '../../contract/admin/control-operation.ts';
import { accepted } from '../../contract/admin/fault-refusal.ts';
import { ControlRefusal } from '../../contract/admin/refusals.ts';
import { limits } from '../../contract/limits.ts';
import { parseFile } from '../../contract/parse-file.ts';
import { type RuleId, rules } from '../../contract/rules.ts';
import { readBody } from '../body.ts';
import type { AppContext } from '../request-context.ts';
import { queryValues, urlParts } from '../urls.ts';

/** How much JSON a body of the control API holds. */
export const jsonBounds = { bodyDepth: limits.bodyDepth, bodyValues: bounds.bodyValues };

/** The parsed body; undefined where the operation takes none. */
export async function bodyOf(
  { body, bodyBytes = limits.bodyBytes }: ControlOperation,
  c: AppContext,
): Promise<unknown> {
  if (!body) return undefined;
  const read = await readBody(c, { bodyBytes, ...jsonBounds });
  if ('value' in read && read.text === null) return parsed(body, {}, 'body');
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.raw.headers.get('content-type') ?? ''))
    throw new ControlRefusal(415, 'The control API takes JSON: send the header `Content-Type: application/json`');
  if ('value' in read) return parsed(body, read.value, 'body');
  throw refusalOf(read.refusal.judgedAs, bodyBytes);
}

function refusalOf(rule: RuleId, bodyBytes: number): ControlRefusal {
  if (rule === 'body_too_large')
    return new ControlRefusal(413, `The body of this operation has at most ${bodyBytes} bytes`);
  return new ControlRefusal(400, rules[rule === 'malformed_compression' ? rule : 'malformed_body'].words());
}

/** The parsed query. */
export function queryOf({ query }: ControlOperation, { req }: AppContext): unknown {
  return query ? parsed(query, queryValues(urlParts(req.url).search), 'query') : undefined;
}

/** A part as its schema makes it. @throws ControlRefusal 400 for a query, 422 for a body */
export function parsed(
  schema: NonNullable<ControlOperation['body']>,
  content: unknown,
  name: 'body' | 'query',
): unknown {
  return accepted(parseFile(schema, { name, content }), name === 'query' ? 400 : 422);
}
