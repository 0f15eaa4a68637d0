// The stages that judge the parts of a request: what they hand on, what they note of the readings, and whom they ask.
import { describe, expect, test, vi } from 'vitest';
import { acceptanceOf, undecided } from '../../../src/contract/acceptance.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { operationList, operations } from '../../../src/contract/operations.ts';
import { chooseReadings } from '../../../src/contract/readings.ts';
import { Refusal } from '../../../src/contract/refusal.ts';
import type { Terms } from '../../../src/contract/terms.ts';
import type { Call } from '../../../src/http/call.ts';
import { bodySchema, path, query } from '../../../src/http/stages/request-parts.ts';
import { orderId, someOrder } from '../../support/order-requests.ts';
import { severalReadings, termsOf } from './requests.ts';

interface Given {
  readonly params?: object;
  readonly search?: string;
  readonly value?: unknown;
}

/** As much of a call as these stages look at. */
const callOf = (operation: Operation, terms: Terms, { params = {}, search = '', value }: Given): Call =>
  ({ arrival: { operation, params, search }, body: { value }, terms, input: {} }) as unknown as Call;

function judged(operation: Operation, terms: Terms, given: Given): Call['input'] {
  const call = callOf(operation, terms, given);
  path(call);
  query(call);
  bodySchema(call);
  return call.input;
}

const byDefault = chooseReadings();
const { 'orders.create': create, 'orders.list': list, 'orders.get': get } = operations;

test('a good order is handed on as zod makes it, without zod', () => {
  const schema = create.body(termsOf(byDefault));
  const asked = vi.spyOn(schema, 'safeParse');
  const order = someOrder({
    consumer: { last_name: 'Lovelace', email: 'ada@example.com', phone_number: '+12025550123' },
  });
  const { body } = judged(create, termsOf(byDefault), { value: order });
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
  expect(JSON.stringify(body)).toBe(JSON.stringify(schema.parse(order)));
});

test('a wrong one is refused by zod', () => {
  expect(() => judged(create, termsOf(byDefault), { value: someOrder({ consumer: {} }) })).toThrow(Refusal);
  expect(() => judged(get, termsOf(byDefault), { params: { orderId: '7' } })).toThrow(Refusal);
  expect(() => judged(list, termsOf(byDefault), { search: '?limit=0' })).toThrow(Refusal);
});

describe('without a query', () => {
  test('a list has its defaults, the same for all and for nobody to change', () => {
    const one = judged(list, termsOf(byDefault), {}).query;
    expect(one).toEqual(list.query(termsOf(byDefault)).parse({}));
    expect(judged(list, termsOf(byDefault), {}).query).toBe(one);
    expect(Object.isFrozen(one)).toBe(true);
  });

  test('what comes in a query is told from it', () => {
    expect(judged(list, termsOf(byDefault), { search: '?' }).query).toEqual({ limit: 20 });
    expect(judged(list, termsOf(byDefault), { search: '?limit=%37&cursor=a' }).query).toEqual({
      limit: 7,
      cursor: 'a',
    });
    expect(judged(list, termsOf(byDefault), {}).query).toEqual({ limit: 20 });
  });
});

/** What the stages of a call note of the readings, whether they refuse it or not. */
function notedBy(operation: Operation, terms: Terms, value: unknown): string {
  const params = { id: orderId(1), orderId: orderId(1), fulfillmentId: orderId(1) };
  const call = callOf(operation, terms, { params, value });
  for (const stage of [path, query, bodySchema]) {
    try {
      stage(call);
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
    }
  }
  return terms.asText();
}

describe.each(operationList as readonly Operation[])('$id', (operation) => {
  test('a call notes of the readings what its schemas ask for, accepted, refused or without a query', () => {
    for (const readings of severalReadings) {
      const schemas = termsOf(readings);
      for (const part of ['params', 'query', 'body'] as const) operation[part]?.(schemas);
      for (const value of [someOrder(), {}])
        expect(notedBy(operation, termsOf(readings), value)).toBe(schemas.asText());
    }
  });
});

test('to look for an acceptance asks for no reading', () => {
  const terms = termsOf(byDefault);
  const schema = create.body(terms);
  const before = terms.asText();
  expect(acceptanceOf(schema)(someOrder())).not.toBe(undecided);
  expect(terms.asText()).toBe(before);
});
