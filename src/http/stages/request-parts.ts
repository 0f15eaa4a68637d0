// The parts of a request against their schemas: body format (400), path and query (400), body schema (422). One stage each.

import { acceptanceOf, undecided } from '../../contract/acceptance.ts';
import { Lately } from '../../contract/lately.ts';
import { faultsOf } from '../../contract/messages.ts';
import type { Schema } from '../../contract/operation.ts';
import { Refusal } from '../../contract/refusal.ts';
import type { RuleId } from '../../contract/rules.ts';
import type { Call } from '../call.ts';
import { queryValues } from '../query-values.ts';

/** 400 for a body that is no JSON. */
export function bodyFormat({ body }: Call): void {
  if (body && 'refusal' in body) throw body.refusal;
}

export function path(call: Call): void {
  const { operation, params } = call.arrival;
  if (operation?.params) call.input.params = parsed(schemaOf(call, operation.params), params);
}

export function query(call: Call): void {
  const { operation, search } = call.arrival;
  if (operation?.query) call.input.query = parsedQuery(call, operation.query, search);
}

export function bodySchema(call: Call): void {
  const { operation } = call.arrival;
  if (operation?.body && call.body && 'value' in call.body)
    call.input.body = parsed(schemaOf(call, operation.body), call.body.value);
}

/** What schemas made of the queries that came last: clients send the same ones, none above all. */
const queries = new WeakMap<ReturnType<Schema>, Lately<string, object>>();
const mostQueries = 100;
const longestQuery = 100;

function parsedQuery(call: Call, schema: Schema, search: string): unknown {
  const made = schemaOf(call, schema);
  const known = queries.get(made) ?? new Lately<string, object>(mostQueries);
  queries.set(made, known);
  const found = known.get(search);
  if (found) return found;
  const query = deepFrozen(parsed(made, queryValues(search), 'malformed_parameter')) as object;
  return search.length > longestQuery ? query : known.keep(search, query);
}

/** Frozen through and through, as all calls have the same. */
function deepFrozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) deepFrozen(part);
  return Object.freeze(value);
}

function schemaOf({ terms }: Call, schema: Schema): ReturnType<Schema> {
  if (!terms) throw new Error('the admission comes before the parts of a request');
  return schema(terms);
}

function parsed(made: ReturnType<Schema>, value: unknown, judgedAs?: RuleId): unknown {
  const accepted = acceptanceOf(made)(value);
  if (accepted !== undecided) return accepted;
  const result = made.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new Refusal(faultsOf(result.error), { judgedAs });
}
