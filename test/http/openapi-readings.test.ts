// The service's document follows the readings of its sandbox: what it offers, and what it says of the assumptions.
import { describe, expect, test } from 'vitest';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../src/contract/assumptions.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operationList } from '../../src/contract/operations.ts';
import { resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import type { EngineOptions } from '../../src/engine.ts';
import { allOffered } from '../cases/common.ts';
import { orderWith } from '../cases/requests.ts';
import { controlled } from '../support/control.ts';
import { complaints, operationIn, operationsIn } from '../support/openapi-document.ts';
import { serviceDocumentOf } from '../support/openapi-served.ts';
import type { Json } from '../support/published-documents.ts';
import { testSachet } from '../support/sachet.ts';

/** The operations with `offeredBy` by their assumptions: `order_endpoints` is assumed by default, the others are not. */
const offeredWith = (...assumed: readonly string[]): string[] =>
  operationList.filter(({ offeredBy }: Operation) => !offeredBy || assumed.includes(offeredBy)).map(({ id }) => id);

const idsIn = (document: Json): string[] => operationsIn(document).map(({ shown }) => shown['x-operation']);
const readingIn = (document: Json, id: AssumptionId): string => document['x-assumptions'][id].reading;

describe('a document has exactly the operations that are offered', () => {
  test.each<[string, Partial<EngineOptions>, string[]]>([
    ['by default', {}, offeredWith('order_endpoints')],
    ['by the profile strict', { profile: 'strict' }, offeredWith()],
    [
      'with consumer_endpoints assumed',
      { assumptions: { consumer_endpoints: 'assumed' } },
      offeredWith('order_endpoints', 'consumer_endpoints'),
    ],
    [
      'by the profile strict with consumer_endpoints assumed',
      { profile: 'strict', assumptions: { consumer_endpoints: 'assumed' } },
      offeredWith('consumer_endpoints'),
    ],
  ])('%s', async (_, options, ids) => {
    const document = await serviceDocumentOf(testSachet(options));
    expect(idsIn(document).sort()).toEqual(ids.sort());
    const groups = document.tags.map(({ name }: Json) => name);
    expect(groups).toEqual([...new Set(operationsIn(document).map(({ shown }) => shown.tags[0]))]);
  });

  test('at their methods and paths, each with the security that its permission asks for', async () => {
    const document = await serviceDocumentOf(testSachet({ assumptions: allOffered }));
    const shown = operationsIn(document).map(({ method, path, shown }) => [
      shown['x-operation'],
      method.toUpperCase(),
      path,
      shown.security,
      shown['x-permission'] ?? null,
    ]);
    const declared = operationList.map(({ id, method, path, permission }) => [
      id,
      method,
      path,
      permission === null ? [] : [{ bearerAuth: [] }],
      permission,
    ]);
    expect(shown.sort()).toEqual(declared.sort());
    expect(document.components.securitySchemes.bearerAuth).toMatchObject({ type: 'http', scheme: 'bearer' });
  });
});

describe('a document says of the assumptions', () => {
  const turned: Partial<Choices> = { next_cursor: 'meta', order_created_status: '200', permissions: 'all' };

  test.each<[string, Partial<Choices>]>([
    ['by default', {}],
    ['with some turned', turned],
  ])('%s the whole register, with the readings in force', async (_, chosen) => {
    const document = await serviceDocumentOf(testSachet({ assumptions: chosen }));
    const readings = resolveChoices(chosen);
    const register = assumptionIds.map((id) => {
      const { question, choices: all } = assumptionRegister[id];
      return [id, { question, reading: readings[id], default: all[0][0], readings: Object.fromEntries(all) }];
    });
    expect(document['x-assumptions']).toEqual(Object.fromEntries(register));
  });

  test('at each operation those that shape it, with the same readings', async () => {
    const document = await serviceDocumentOf(testSachet({ assumptions: { ...turned, ...allOffered } }));
    for (const { shown } of operationsIn(document)) {
      const own = Object.entries(shown['x-assumptions'] as Record<AssumptionId, string>);
      expect(own.length, shown['x-operation']).toBeGreaterThan(2);
      for (const [id, reading] of own)
        expect(reading, `${shown['x-operation']} ${id}`).toBe(readingIn(document, id as AssumptionId));
    }
    const shapedBy = (id: AssumptionId) =>
      operationsIn(document)
        .filter(({ shown }) => id in shown['x-assumptions'])
        .map(({ shown }) => shown['x-operation']);
    expect(shapedBy('order_created_status')).toEqual(['orders.create']);
    expect(shapedBy('bad_credentials')).toEqual(['authentication.token']);
    const withCursor = operationList.filter(({ query }) => query).map(({ id }) => id);
    expect(shapedBy('next_cursor')).toEqual(withCursor);
    expect(shapedBy('rate_limit')).toEqual(idsIn(document));
  });

  test.each(['orders.get', 'orders.cancel'] as const)(
    'no more than it must: %s judges no field of a body',
    async (id) => {
      const { shown } = operationIn(await serviceDocumentOf(testSachet()), id);
      const shaping = Object.keys(shown['x-assumptions']);
      expect(shaping).toEqual(expect.arrayContaining(['malformed_path_id', 'order_fields', 'order_endpoints']));
      for (const ofBodies of ['unknown_fields', 'numeric_strings', 'empty_arrays', 'pouch_both'])
        expect(shaping).not.toContain(ofBodies);
      expect(shaping.includes('malformed_body')).toBe(id === 'orders.cancel');
    },
  );

  test('every assumption shapes some operation, but what is the operator’s', async () => {
    const document = await serviceDocumentOf(testSachet({ assumptions: allOffered }));
    const shaping = new Set(operationsIn(document).flatMap(({ shown }) => Object.keys(shown['x-assumptions'])));
    // What the operator may do is the control API's.
    expect(assumptionIds.filter((id) => !shaping.has(id))).toEqual(['order_transitions']);
  });
});

test('the challenge of a 401 is in the document where it is sent, and never at a login', async () => {
  const challengesIn = async (choice: Choices['www_authenticate']) => {
    const document = await serviceDocumentOf(testSachet({ assumptions: { www_authenticate: choice } }));
    const [own] = ['authentication.token' as const].map((id) => operationIn(document, id).shown.responses[401]);
    return [document.components.responses.Unauthorized, own].map(({ headers = {} }: Json) => Object.keys(headers));
  };
  expect(await challengesIn('present')).toEqual([['WWW-Authenticate'], []]);
  expect(await challengesIn('absent')).toEqual([[], []]);
});

describe('what was taken by one reading, an answer by another tells, and its document has it', () => {
  const echoing: Partial<Choices> = { order_fields: 'echo' };
  test.each<[string, Partial<Choices>, Partial<Choices>, string, unknown]>([
    ['a time of day', {}, { time_of_administration: 'closed' }, 'pouches.0.time_of_administration', 'Brunch'],
    ['an empty list', { empty_arrays: 'accept' }, { empty_arrays: 'reject' }, 'pouches', []],
    ['a number', {}, { numeric_strings: 'accept' }, 'pouches.0.time_of_administration', 'Morning'],
  ])('%s', async (_, taking, telling, field, value) => {
    const sachet = testSachet({ assumptions: { ...echoing, ...taking } });
    const client = await sachet.login();
    const made = await client.post('/v2/orders', orderWith({ [`order_lines.0.${field}`]: value }));
    expect(made.status, made.text).toBe(201);
    await sachet.control.sandbox('stage').assumptions.set(telling);
    const { status, body } = await client.get(`/v2/orders/${made.body.order.id}`);
    const document = await serviceDocumentOf(sachet);
    const { schema } = operationIn(document, 'orders.get').shown.responses[status].content['application/json'];
    expect(complaints(document, schema, body)).toEqual([]);
    expect(field.split('.').reduce((at, key) => at[key], body.order.order_lines[0])).toEqual(value);
  });
});

describe('a document follows', () => {
  test('the readings of its own sandbox, and not of the one beside it', async () => {
    const { sachet, admin } = controlled();
    await admin('POST', '/sandboxes', { name: 'w1', assumptions: { next_cursor: 'meta', order_endpoints: 'absent' } });
    await admin('POST', '/sandboxes', { name: 'w2', assumptions: { next_cursor: 'header' } });
    const [stage, w1, w2] = await Promise.all(
      ['', '/sandboxes/w1', '/sandboxes/w2'].map((base) => serviceDocumentOf(sachet, base)),
    );
    expect([stage, w1, w2].map((document) => readingIn(document, 'next_cursor'))).toEqual(['body', 'meta', 'header']);
    expect([stage, w1, w2].map((document) => '/v2/orders/{orderId}' in document.paths)).toEqual([true, false, true]);
    const { headers } = operationIn(w2, 'fulfillments.list').shown.responses[200];
    expect(Object.keys(headers)).toEqual(['X-Next-Cursor']);
  });

  test('readings that are turned later, and turned back', async () => {
    const sachet = testSachet();
    const { assumptions: turning } = sachet.control.sandbox('stage');
    const text = async () => JSON.stringify(await serviceDocumentOf(sachet));
    const before = await text();
    await turning.set({ order_created_status: '200' });
    const { responses } = operationIn(await serviceDocumentOf(sachet), 'orders.create').shown;
    expect(['200' in responses, '201' in responses]).toEqual([true, false]);
    expect(readingIn(await serviceDocumentOf(sachet, '/sandboxes/production'), 'order_created_status')).toBe('201');
    await turning.set({ order_created_status: null });
    expect((await text()) === before).toBe(true);
  });

  test('readings that a scenario turns', async () => {
    const mine = {
      name: 'mine',
      intent: 'To see.',
      right_client: 'Looks.',
      conduct: [],
      assumptions: { next_cursor: 'meta' },
    };
    const sachet = testSachet({ scenarios: [mine as never] });
    await sachet.control.sandbox('stage').scenarios.apply('mine');
    expect(readingIn(await serviceDocumentOf(sachet), 'next_cursor')).toBe('meta');
  });

  test('the closed list of its sandbox, in its schema and in its examples', async () => {
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
    expect(Object.keys(responses[422].content['application/json'].examples)).toEqual(
      expect.arrayContaining(['ORD-6', 'ORD-7', 'ORD-8', 'time_of_administration']),
    );
  });
});
