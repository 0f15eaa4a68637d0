// The refusals that a document shows are those that the service gives: the case table, which the HTTP tests send, says both.
import { describe, expect, test } from 'vitest';
import type { Choices } from '../../../src/contract/assumptions.ts';
import { rows } from '../../cases/table.ts';
import { exampleIn, operationIn, responseAt } from '../../support/openapi-document.ts';
import { documentBy, type Json } from '../../support/published-documents.ts';
import { errorBodyOf } from '../../support/refused.ts';

describe('a document shows, word for word, the refusal of', () => {
  test.each(rows.filter(({ rule }) => !rule.endsWith('_endpoints')))('$id by $rule', ({ id, rule, given }) => {
    const document = documentBy(given.assumptions);
    const { status } = given.refused;
    const shown = exampleIn(responseAt(document, operationIn(document, id), status), rule);
    expect(shown).toEqual(errorBodyOf(given.refused));
  });
});

describe('a document shows the refusals by the readings of how they are told', () => {
  const shownBy = (assumptions: Partial<Choices>, status: number, rule: string): Json => {
    const document = documentBy(assumptions);
    return exampleIn(responseAt(document, operationIn(document, 'orders.create'), status), rule);
  };
  const required = '"pouches" is required';

  test.each<[Partial<Choices>, object]>([
    [
      { validation_placement: 'details' },
      { message: 'Validation failed', details: [{ field: 'order_lines.0.pouches', message: required }] },
    ],
    [{ validation_placement: 'message' }, { message: required }],
    [{ validation_placement: 'joined' }, { message: required }],
    [
      { field_path: 'brackets' },
      { message: required, details: [{ field: 'order_lines[0].pouches', message: required }] },
    ],
  ])('%j', (assumptions, told) => {
    expect(shownBy(assumptions, 422, 'ORD-5')).toEqual({ statusCode: 422, error: 'Unprocessable Entity', ...told });
  });

  test.each<[Partial<Choices>, string, number]>([
    [{ business_rule_status: '400' }, 'ORD-17', 400],
    [{ business_rule_status: 'per_kind' }, 'ORD-17', 404],
    [{ business_rule_status: 'per_kind' }, 'ORD-18', 403],
    [{ business_rule_status: 'per_kind' }, 'ORD-19', 422],
    [{ malformed_body: '422' }, 'unsupported_media_type', 422],
  ])('%j: %s is %i, and nothing else', (assumptions, rule, status) => {
    const statuses = [400, 403, 404, 422].filter((one) => {
      const document = documentBy(assumptions);
      const response = responseAt(document, operationIn(document, 'orders.create'), one);
      return response !== undefined && exampleIn(response, rule) !== undefined;
    });
    expect(statuses).toEqual([status]);
    expect(shownBy(assumptions, status, rule).statusCode).toBe(status);
  });

  test.each(['Token expired', 'Invalid token', 'Unauthorized'] as const)('the words of a bad token: %s', (words) => {
    const body = { statusCode: 401, error: 'Unauthorized', message: words };
    expect(shownBy({ unauthorized_message: words }, 401, 'AUTH-4')).toEqual(body);
    expect(shownBy({ unauthorized_message: words }, 401, 'AUTH-3').message).toBe('Token expired');
  });
});

test('a 429 says that Retry-After comes, and when, and a 500 what it says', () => {
  const document = documentBy();
  const [limited, failed] = [429, 500].map((status) =>
    responseAt(document, operationIn(document, 'products.list'), status),
  );
  expect(limited.headers['Retry-After']).toMatchObject({ required: true, schema: { type: 'integer' }, example: 60 });
  expect(exampleIn(limited, 'LIM-1')).toEqual({
    statusCode: 429,
    error: 'Too Many Requests',
    message: 'Too Many Requests',
  });
  expect(exampleIn(failed, 'HTTP-3')).toEqual({
    statusCode: 500,
    error: 'Internal Server Error',
    message: 'An internal server error occurred',
  });
});
