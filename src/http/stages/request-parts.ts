// The parts of a request against their schemas: body format (400), path and query (400), body schema (422). One stage each.
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
  if (operation?.query) call.input.query = parsed(call, operation.query, queryValues(search), 'malformed_parameter');
}

export function bodySchema(call: Call): void {
  const { operation } = call.arrival;
  if (operation?.body && call.body && 'value' in call.body)
    call.input.body = parsed(call, operation.body, call.body.value);
}

function parsed(call: Call, schema: Schema, value: unknown, judgedAs?: RuleId): unknown {
  if (!call.terms) throw new Error('the admission comes before the parts of a request');
  const result = schema(call.terms).safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new Refusal(faultsOf(result.error), { judgedAs });
}
