// Some rules have the same words. What a schema refuses, it must refuse by the very rule of the case.
import { expect, test } from 'vitest';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { brokenRulesOf } from '../../src/contract/refusal.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { orderBusinessCases } from '../cases/order-business.ts';
import { type Row, rows } from '../cases/table.ts';
import { requestOf } from '../support/refused.ts';
import { fixtures } from '../support/sachet.ts';

/** The case's request in the parts that schemas judge, each with its schema. */
function partsOf({ id, given }: Row) {
  const operation: Operation = operations[id];
  const { path, body } = requestOf(id, given);
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const pattern = new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  return [
    { schema: operation.params, value: { ...pattern.exec(pathname)?.groups } },
    { schema: operation.query, value: Object.fromEntries(searchParams) },
    { schema: operation.body, value: body },
  ];
}

function rulesOfSchemas(row: Row): string[] {
  const assumptions = new Assumptions(resolveChoices(row.given.assumptions), fixtures.administration_times.values);
  return partsOf(row).flatMap(({ schema, value }) => {
    const error = schema?.(assumptions).safeParse(value, { reportInput: true }).error;
    return error ? brokenRulesOf(error, assumptions).map(({ rule }) => rule) : [];
  });
}

for (const row of rows.filter(({ given, rule }) => given.refused.details && !(rule in orderBusinessCases))) {
  test(`the schemas of ${row.id} know ${row.rule} by its id`, () => {
    expect(rulesOfSchemas(row)).toEqual([row.rule]);
  });
}

test.each(rows.filter(({ rule }) => rule in orderBusinessCases))(
  'the schemas of $id leave $rule to the business rules',
  (row) => {
    expect(rulesOfSchemas(row)).toEqual([]);
  },
);
