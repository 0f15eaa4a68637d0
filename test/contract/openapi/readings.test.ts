// The service's document by every reading of every assumption, turned one at a time on one server: its schemas are JSON Schema, its
// examples are good by them, and it shows a refusal for each rule that can refuse by that reading, and for no other.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Assumption, assumptionIds, assumptionRegister } from '../../../src/contract/assumptions.ts';
import { commonRefusals } from '../../../src/contract/operation.ts';
import { type OperationId, operations } from '../../../src/contract/operations.ts';
import { resolveChoices } from '../../../src/contract/resolved-assumptions.ts';
import { allOffered } from '../../cases/common.ts';
import {
  bodiesIn,
  complaints,
  exampleNames,
  operationIn,
  operationsIn,
  responseAt,
  type ShownOperation,
} from '../../support/openapi-document.ts';
import { serviceDocumentOf } from '../../support/openapi-served.ts';
import type { Json } from '../../support/published-documents.ts';
import { testSachet } from '../../support/sachet.ts';

/** Rules that refuse only by some readings of an assumption. All others refuse by any. */
const refusesBy: Readonly<Record<string, readonly [assumption: string, ...choices: string[]]>> = {
  'AUTH-5': ['permissions', 'per_endpoint'],
  old_token_after_refresh: ['old_token_after_refresh', 'ends'],
  foreign_resource: ['foreign_resource', '403'],
  'ORD-26': ['pouch_both', 'joi'],
  new_consumer_contact: ['new_consumer_contact', 'email', 'phone_number', 'either', 'both'],
  phone_format: ['phone_format', 'pattern'],
  unknown_fields: ['unknown_fields', 'reject'],
  empty_arrays: ['empty_arrays', 'reject'],
  time_of_administration: ['time_of_administration', 'closed'],
  pack_id: ['pack_id', 'known'],
  over_max_limit: ['over_max_limit', 'reject'],
  malformed_path_id: ['malformed_path_id', '400', '422'],
  // An operation that is not offered stands in no document.
  ...Object.fromEntries(Object.keys(allOffered).map((id) => [id, [id]])),
};

/** A new consumer without a field is one without a contact, wherever one is needed. An update may have no field itself. */
const isMasked = (id: string, rule: string, contact: string): boolean =>
  rule === 'OPEN-2' && contact !== 'none' && id !== 'orders.update';

function rulesOf(id: OperationId, choices: Json): string[] {
  const { refusals, permission } = operations[id];
  const all: string[] = [...refusals, ...(permission === null ? [] : commonRefusals), 'LIM-1', 'HTTP-3'];
  return all.filter((rule) => {
    const [assumption, ...refusing] = refusesBy[rule] ?? [];
    const can = assumption === undefined || refusing.includes(choices[assumption].reading);
    return can && !isMasked(id, rule, choices.new_consumer_contact.reading);
  });
}

/** The rules by which an operation's refusals are named. */
const shownRules = (document: Json, operation: ShownOperation): string[] =>
  Object.keys(operation.shown.responses)
    .filter((status) => !status.startsWith('2'))
    .flatMap((status) => exampleNames(responseAt(document, operation, status)));

const base = resolveChoices(allOffered);
const server = testSachet({ assumptions: base });
const turn = server.control.sandbox('stage').assumptions.set;

/** As it is at first, and each other reading. */
const turned: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['every other by default', {}],
  ...assumptionIds.flatMap((id) => {
    const { choices }: Assumption = assumptionRegister[id];
    const others = choices.map(([choice]) => choice).filter((choice) => choice !== base[id]);
    return others.map((choice) => [`${id}=${choice}`, { [id]: choice }] as const);
  }),
];

test('every reading has its turn', () => {
  const choices = assumptionIds.reduce((sum, id) => sum + assumptionRegister[id].choices.length, 0);
  expect(turned.length - 1 + assumptionIds.length).toBe(choices);
});

describe.each(turned)('with %s', (_, choices) => {
  let document: Json;
  beforeAll(async () => {
    await turn({ ...base, ...choices });
    document = await serviceDocumentOf(server);
  });

  test('it follows these readings', () => {
    const shown = assumptionIds.map((id) => [id, document['x-assumptions'][id].reading]);
    expect(Object.fromEntries(shown)).toEqual({ ...base, ...choices });
  });

  test('every example is good by its schema', () => {
    const faults = bodiesIn(document).flatMap(({ where, schema, examples }) =>
      Object.entries(examples).flatMap(([name, { value }]) =>
        complaints(document, schema, value).map((fault) => `${where} ${name}: ${fault}`),
      ),
    );
    expect(faults).toEqual([]);
  });

  test('every operation has an example of its request and of its success, and each answer a schema', () => {
    for (const { shown } of operationsIn(document)) {
      const [success = ''] = Object.keys(shown.responses).filter((status) => status.startsWith('2'));
      expect(exampleNames(shown.responses[success]), shown['x-operation']).toContain('sample');
      if (shown.requestBody) expect(exampleNames(shown.requestBody), shown['x-operation']).toContain('sample');
    }
    for (const { where, schema } of bodiesIn(document)) expect(schema, where).toBeDefined();
  });

  test('it shows the refusals that can come, and no other', () => {
    const offered = operationsIn(document).map(({ shown }) => shown['x-operation'] as OperationId);
    const shown = offered.map((one) => [one, shownRules(document, operationIn(document, one)).sort()]);
    expect(shown).toEqual(offered.map((one) => [one, rulesOf(one, document['x-assumptions']).sort()]));
  });
});

test('an example that is not good would be found', async () => {
  const document = await serviceDocumentOf(server);
  const { schema, examples } = bodiesIn(document).find(({ where }) => where === 'orders.create request') ?? {};
  const { order_lines: _, ...rest } = examples?.sample?.value ?? {};
  expect(complaints(document, schema, rest)).toEqual([
    expect.stringContaining("must have required property 'order_lines'"),
  ]);
  expect(() => complaints(document, { type: 'strange' }, 1)).toThrow();
  expect(() => complaints(document, { $ref: '#/components/schemas/Nobody' }, 1)).toThrow('nothing stands at');
});
