// The parts of a request against their schemas: body format (400), path and query (400), body schema (422). One stage each.
import { acceptanceOf, undecided } from '../../contract/acceptance.ts';
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
  if (operation?.params) call.input.params = parsed(call, operation.params, params);
}

export function query(call: Call): void {
  const { operation, search } = call.arrival;
  if (!operation?.query) return;
  call.input.query =
    search === '' ? ofNoQuery(call, operation.query) : parsed(call, operation.query, queryValues(search), inQuery);
}

export function bodySchema(call: Call): void {
  const { operation } = call.arrival;
  if (operation?.body && call.body && 'value' in call.body)
    call.input.body = parsed(call, operation.body, call.body.value);
}

const inQuery = 'malformed_parameter';

/** What schemas make of a call without a query. */
const ofNone = new WeakMap<ReturnType<Schema>, unknown>();

function ofNoQuery(call: Call, schema: Schema): unknown {
  const made = schemaOf(call, schema);
  if (!ofNone.has(made)) ofNone.set(made, deepFrozen(parsed(call, schema, {}, inQuery)));
  return ofNone.get(made);
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

function parsed(call: Call, schema: Schema, value: unknown, judgedAs?: RuleId): unknown {
  const made = schemaOf(call, schema);
  const accepted = acceptanceOf(made)(value);
  if (accepted !== undecided) return accepted;
  const result = made.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new Refusal(faultsOf(result.error), { judgedAs });
}
