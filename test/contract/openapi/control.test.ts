// The control API's document: it has every operation, and whoever follows its examples is understood by a new server.
import { describe, expect, test } from 'vitest';
import { filled } from '../../../src/contract/addresses.ts';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import { sampleOrder } from '../../../src/sample-order.ts';
import { type BareSachet, bareSachet, origin, send } from '../../support/bare-sachet.ts';
import {
  complaints,
  exampleIn,
  exampleNames,
  operationIn,
  operationsIn,
  referred,
  responseAt,
} from '../../support/openapi-document.ts';
import { controlDocumentOf, serviceDocumentOf } from '../../support/openapi-served.ts';
import type { Json } from '../../support/published-documents.ts';
import { testSachet } from '../../support/sachet.ts';

const document: Json = await controlDocumentOf(testSachet());

test('it has exactly the operations of the control API, each in a group that it tells of', () => {
  const shown = operationsIn(document).map(({ method, path, shown }) => [
    shown['x-operation'],
    method.toUpperCase(),
    path,
  ]);
  expect(shown.sort()).toEqual(controlOperationList.map(({ id, method, path }) => [id, method, path]).sort());
  const groups = document.tags.map(({ name }: Json) => name);
  for (const { shown } of operationsIn(document)) expect(groups, shown['x-operation']).toContain(shown.tags[0]);
});

test('every call carries a key', () => {
  expect(document.security).toEqual([{ adminKey: [] }]);
  expect(document.components.securitySchemes.adminKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  expect(operationsIn(document).filter(({ shown }) => 'security' in shown)).toEqual([]);
});

test('every body of a request has an example but the state, which is exported before', () => {
  const bodied = operationsIn(document).filter(({ shown }) => shown.requestBody);
  expect(bodied.length).toBeGreaterThan(30);
  const without = bodied.filter(({ shown }) => exampleNames(shown.requestBody).length === 0);
  expect(without.map(({ shown }) => shown['x-operation'])).toEqual(['state.put']);
});

/** Of a document and of what it refers to. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === '$ref' && typeof item === 'string' ? [item] : referencesIn(item),
  );
}

test.each(['the control API', 'the service'])(
  'every reference in the document of %s leads somewhere in it',
  async (of) => {
    const one = of === 'the service' ? await serviceDocumentOf(testSachet()) : document;
    const references = new Set(referencesIn(one));
    expect(references.size).toBeGreaterThan(15);
    for (const reference of references) expect(referred(one, reference), reference).toBeTypeOf('object');
    const unused = ['schemas', 'responses'].flatMap((kind) =>
      Object.keys(one.components[kind]).filter((name) => !references.has(`#/components/${kind}/${name}`)),
    );
    expect(unused).toEqual([]);
  },
);

/** Names in paths that the document cannot know: what the example of another operation made, or what came in. */
interface Names {
  readonly sandbox: string;
  readonly name: string;
  readonly id: string;
}

const key = (sachet: BareSachet) => ({
  authorization: `Bearer ${sachet.adminKey}`,
  'content-type': 'application/json',
});

interface Sent {
  readonly names?: Partial<Names>;
  /** The name of the example; the first one where none is said. */
  readonly example?: string | undefined;
  /** In place of an example. */
  readonly body?: unknown;
}

/** Sends an example of an operation of the document. */
async function follow(sachet: BareSachet, id: string, { names = {}, example, body: given }: Sent = {}) {
  const operation = operationIn(document, id);
  const { method, path, shown } = operation;
  const shownNames = Object.fromEntries((shown.parameters ?? []).map(({ name, example }: Json) => [name, example]));
  const url = filled(path, (name) => shownNames[name] ?? names[name as keyof Names]);
  const [first = ''] = exampleNames(shown.requestBody);
  const body = given ?? exampleIn(shown.requestBody, example ?? first);
  const init = { method: method.toUpperCase(), headers: key(sachet), ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await sachet.fetch(origin + url, init);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const text = isStream ? await response.body?.cancel().then(() => '') : await response.text();
  return { operation, status: response.status, text: text ?? '', body };
}

/** A server where an order came in already, so that who waits for one need not. */
async function used(): Promise<BareSachet> {
  const sachet = bareSachet();
  const login = { username: 'demo', password: 'sachet-demo' };
  const { access_token } = (await (
    await send(sachet, 'POST', '/v2/authentication/token', { body: login })
  ).json()) as Json;
  const answer = await send(sachet, 'POST', '/v2/orders', { token: access_token, body: sampleOrder() });
  expect(answer.status).toBe(201);
  return sachet;
}

/** What must be there before, and its name. */
const before: Readonly<Record<string, (sachet: BareSachet) => Promise<Partial<Names>>>> = {
  snapshots: async (sachet) => ({ name: JSON.parse((await follow(sachet, 'snapshots.create')).text).name }),
  faults: async (sachet) => ({ id: JSON.parse((await follow(sachet, 'faults.create')).text).id }),
  requests: async (sachet) => ({ id: JSON.parse((await follow(sachet, 'requests.list')).text).requests[0].id }),
  scenarios: async (sachet) => {
    await follow(sachet, 'scenarios.apply', { names: { name: 'no-pag' } });
    return { name: 'no-pag' };
  },
};

/** Understood, and refused for what is there: `stage` stays, and other records name these. */
const notPossible = [
  'sandboxes.delete',
  ...['accounts', 'brands', 'operator_products', 'products', 'consumers', 'orders', 'fulfillment_statuses'].map(
    (name) => `records.${name}.delete`,
  ),
];

describe('the examples of an operation are understood by a new server', () => {
  /** One without an example of a body is sent once, too. */
  const examples = operationsIn(document).flatMap(({ shown }): [string, string][] => {
    const names = exampleNames(shown.requestBody);
    return names.length === 0 ? [[shown['x-operation'], 'no body']] : names.map((name) => [shown['x-operation'], name]);
  });

  test.each(examples)('%s: %s', async (id, example) => {
    const sachet = id.startsWith('requests.') ? await used() : bareSachet();
    const names = /\{(?:name|id)\}/.test(operationIn(document, id).path)
      ? await before[id.replace(/\..*$/, '')]?.(sachet)
      : {};
    const state = id === 'state.put' ? JSON.parse((await follow(sachet, 'state.get')).text) : undefined;
    const { operation, status, text, body } = await follow(sachet, id, { names: names ?? {}, example, body: state });
    const success = Object.keys(operation.shown.responses).find((one) => one.startsWith('2'));
    expect(String(status), text).toBe(notPossible.includes(id) ? '422' : success);
    const schema = responseAt(document, operation, status).content?.['application/json']?.schema;
    if (text) expect(complaints(document, schema, JSON.parse(text))).toEqual([]);
    const content = operation.shown.requestBody?.content['application/json'];
    if (content) expect(complaints(document, content.schema, body)).toEqual([]);
  });
});

test('the schemas of the parameters are JSON Schema, and say what a wrong one is', () => {
  const parameters = operationsIn(document).flatMap(({ shown }) => shown.parameters ?? []) as Json[];
  expect(parameters.length).toBeGreaterThan(100);
  for (const { schema, example } of parameters) complaints(document, schema, example);
  const limit = operationIn(document, 'requests.list').shown.parameters.find(({ name }: Json) => name === 'limit');
  expect(complaints(document, limit.schema, 0)).not.toEqual([]);
  expect(complaints(document, limit.schema, 1)).toEqual([]);
});

describe('the document refuses what the control API refuses for its form', () => {
  test.each<[string, unknown]>([
    ['sandboxes.create', { name: 'UPPER' }],
    ['sandboxes.create', { own_key: 'short' }],
    ['sandboxes.create', { assumptions: { next_cursor: 'nowhere' } }],
    ['sandboxes.create', { colour: 'red' }],
    ['snapshots.create', {}],
    ['clock.set', { rate: 0 }],
    ['switches.set', { rate_limit: { burst: 0 } }],
    ['switches.set', { no_switch: null }],
    ['switches.set', { token_expiry: {} }],
    ['switches.set', { rate_limit: { burst: 1, for_seconds: 60 } }],
    ['switches.set', { server_error: { burst: 1, probability: 0.5 } }],
    ['clock.advance', { by: 'PT1M', seconds: 60 }],
    ['faults.create', { status: 418 }],
    ['faults.create', { times: 1 }],
    ['faults.create', { status: 400, drop: 'mid_body' }],
    ['faults.create', { status: 500, retry_after: 3 }],
    ['faults.create', { id: 'latency', status: 500 }],
    ['assumptions.set', { next_cursor: 'nowhere' }],
    ['requests.verify', { match: { status: 'OK' } }],
    ['orders.ship', { order_lines: [] }],
    ['orders.accept', { force: true }],
    ['fulfillments.deliver', { force: 'yes' }],
    ['records.consumers.create', { colour: 'red' }],
    ['records.pags.update', { duration: 'long' }],
    ['singles.timeline.update', { shipped: { delay_seconds: -1 } }],
  ])('%s of %j', async (id, body) => {
    const { operation, status, text } = await follow(bareSachet(), id, { body });
    expect([400, 422], text).toContain(status);
    const { schema } = operation.shown.requestBody.content['application/json'];
    expect(complaints(document, schema, body)).not.toEqual([]);
  });
});
