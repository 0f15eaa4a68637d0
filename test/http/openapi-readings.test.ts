// The service's document follows the assumptions of its sandbox: the operations it has, and what it says of the choices.
import { describe, expect, test } from 'vitest';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../src/contract/assumptions.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operationList } from '../../src/contract/operations.ts';
import { resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import type { EngineOptions } from '../../src/engine.ts';
import { allOffered } from '../cases/common.ts';
import { orderWith } from '../cases/requests.ts';
import { controlled } from '../support/control.ts';
import {
  complaints,
  exampleNames,
  type Json,
  operationIn,
  operationsIn,
  serviceDocumentOf,
} from '../support/openapi-document.ts';
import { testSachet } from '../support/sachet.ts';

const choiceIn = (document: Json, id: AssumptionId): string => document['x-assumptions'][id].reading;

test.each<[Partial<EngineOptions>, string[]]>([
  [{}, ['order_endpoints']],
  [{ profile: 'strict' }, []],
  [{ profile: 'strict', assumptions: { consumer_endpoints: 'assumed' } }, ['consumer_endpoints']],
])('the document with %o has exactly the operations that are offered', async (options, assumed) => {
  const document = await serviceDocumentOf(testSachet(options));
  const operations = operationsIn(document).map(({ shown }) => shown);
  const offered = operationList.filter(({ offeredBy }: Operation) => !offeredBy || assumed.includes(offeredBy));
  expect(operations.map((one) => one['x-operation']).sort()).toEqual(offered.map(({ id }) => id).sort());
  const tags = new Set(operations.map((one) => one.tags[0]));
  expect(document.tags.map(({ name }: Json) => name)).toEqual([...tags]);
});

test('the document has each operation with its security, and the choices that shape it', async () => {
  const choices: Partial<Choices> = { next_cursor: 'meta', order_created_status: '200', permissions: 'all' };
  const document = await serviceDocumentOf(testSachet({ assumptions: { ...choices, ...allOffered } }));
  const resolved = resolveChoices({ ...choices, ...allOffered });
  const register = assumptionIds.map((id) => {
    const { question, choices: all } = assumptionRegister[id];
    return [id, { question, reading: resolved[id], default: all[0][0], readings: Object.fromEntries(all) }];
  });
  expect(document['x-assumptions']).toEqual(Object.fromEntries(register));

  const operations = operationsIn(document);
  expect(document.components.securitySchemes.bearerAuth).toMatchObject({ type: 'http', scheme: 'bearer' });
  const declared = operationList.map(({ id, method, path, permission }) => {
    const security = permission === null ? [] : [{ bearerAuth: [] }];
    return [id, method.toLowerCase(), path, security, permission ?? undefined];
  });
  const found = operations.map(({ method, path, shown }) => {
    return [shown['x-operation'], method, path, shown.security, shown['x-permission']];
  });
  expect(found.sort()).toEqual(declared.sort());

  for (const { shown } of operations) {
    const own = shown['x-assumptions'];
    expect(Object.keys(own).length, shown['x-operation']).toBeGreaterThan(2);
    expect(resolved, shown['x-operation']).toMatchObject(own);
  }
  const shapedBy = (id: AssumptionId) =>
    operations.filter(({ shown }) => id in shown['x-assumptions']).map(({ shown }) => shown['x-operation']);
  // The operator's transitions are part of the control API.
  expect(assumptionIds.filter((id) => shapedBy(id).length === 0)).toEqual(['order_transitions']);
  expect(shapedBy('order_created_status')).toEqual(['orders.create']);
  expect(shapedBy('bad_credentials')).toEqual(['authentication.token']);
  expect(shapedBy('next_cursor')).toEqual(operationList.filter(({ query }) => query).map(({ id }) => id));
  expect(shapedBy('rate_limit')).toHaveLength(operations.length);
});

test('the challenge of a 401 is in the document if it is sent, and never at a login', async () => {
  const challengesIn = async (choice: Choices['www_authenticate']) => {
    const document = await serviceDocumentOf(testSachet({ assumptions: { www_authenticate: choice } }));
    const atLogin = operationIn(document, 'authentication.token').shown.responses[401];
    return [document.components.responses.Unauthorized, atLogin].map(({ headers = {} }: Json) => Object.keys(headers));
  };
  expect(await challengesIn('present')).toEqual([['WWW-Authenticate'], []]);
  expect(await challengesIn('absent')).toEqual([[], []]);
});

test.each<[Partial<Choices>, Partial<Choices>, string, unknown]>([
  [{}, { time_of_administration: 'closed' }, 'pouches.0.time_of_administration', 'Brunch'],
  [{ empty_arrays: 'accept' }, { empty_arrays: 'reject' }, 'pouches', []],
])('what was accepted with %o and is returned with %o fits the document', async (first, then, field, value) => {
  const sachet = testSachet({ assumptions: { order_fields: 'echo', ...first } });
  const client = await sachet.login();
  const created = await client.post('/v2/orders', orderWith({ [`order_lines.0.${field}`]: value }));
  expect(created.status, created.text).toBe(201);
  await sachet.control.sandbox('stage').assumptions.set(then);
  const { status, body } = await client.get(`/v2/orders/${created.body.order.id}`);
  const document = await serviceDocumentOf(sachet);
  const { schema } = operationIn(document, 'orders.get').shown.responses[status].content['application/json'];
  expect(complaints(document, schema, body)).toEqual([]);
  expect(field.split('.').reduce((at, key) => at[key], body.order.order_lines[0])).toEqual(value);
});

describe('a document follows', () => {
  test('the choices of its own sandbox: those it was created with, set later, reset, or set by a scenario', async () => {
    const scenario = { name: 'mine', intent: 'x', right_client: 'x', assumptions: { next_cursor: 'link_header' } };
    const { sachet } = controlled({ scenarios: [scenario as never] });
    await sachet.control.create({ name: 'w1', assumptions: { next_cursor: 'meta', order_endpoints: 'absent' } });
    const documents = () =>
      Promise.all(['', '/sandboxes/production', '/sandboxes/w1'].map((base) => serviceDocumentOf(sachet, base)));
    const before = await documents();
    expect(before.map((document) => choiceIn(document, 'next_cursor'))).toEqual(['body', 'body', 'meta']);
    expect(before.map((document) => '/v2/orders/{orderId}' in document.paths)).toEqual([true, true, false]);
    const stage = sachet.control.sandbox('stage');
    await stage.assumptions.set({ order_created_status: '200', next_cursor: 'header' });
    const [changed, ...others] = await documents();
    expect(others).toEqual(before.slice(1));
    expect(operationIn(changed, 'orders.create').shown.responses).not.toHaveProperty('201');
    const { headers } = operationIn(changed, 'fulfillments.list').shown.responses[200];
    expect(Object.keys(headers)).toEqual(['X-Next-Cursor']);
    await stage.assumptions.set({ order_created_status: null, next_cursor: null });
    expect(await serviceDocumentOf(sachet)).toEqual(before[0]);
    await stage.scenarios.apply('mine');
    expect(choiceIn(await serviceDocumentOf(sachet), 'next_cursor')).toBe('link_header');
  });

  test('the closed list of times of day in its sandbox, in its schema and in its examples', async () => {
    const sachet = testSachet({ assumptions: { time_of_administration: 'closed' } });
    const values = ['Dawn', 'Dusk'];
    await sachet.control.sandbox('stage').singles.administration_times.update({ values });
    const document = await serviceDocumentOf(sachet);
    const { requestBody, responses } = operationIn(document, 'orders.create').shown;
    const { schema, examples } = requestBody.content['application/json'];
    expect(complaints(document, schema, examples.sample.value)).toEqual([]);
    const at = (time: string) => orderWith({ 'order_lines.0.pouches.0.time_of_administration': time });
    expect(values.flatMap((time) => complaints(document, schema, at(time)))).toEqual([]);
    expect(complaints(document, schema, at('Morning'))).not.toEqual([]);
    const rules = ['ORD-6', 'ORD-7', 'ORD-8', 'time_of_administration'];
    expect(exampleNames(responses[422])).toEqual(expect.arrayContaining(rules));
  });
});
