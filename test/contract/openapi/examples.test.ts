// The examples of the documents are true: the requests succeed on a new server, and no password is shown that is a secret. The control
// API's document has every operation.
import { describe, expect, test } from 'vitest';
import { controlOpenApiPath, filled, openApiPath } from '../../../src/contract/addresses.ts';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import { type OperationId, operations } from '../../../src/contract/operations.ts';
import type { EngineOptions } from '../../../src/engine.ts';
import { sampleOrder } from '../../../src/sample-order.ts';
import { allOffered } from '../../cases/common.ts';
import {
  complaints,
  controlDocumentOf,
  exampleIn,
  exampleNames,
  type Json,
  operationIn,
  operationsIn,
  responseAt,
  serviceDocumentOf,
} from '../../support/openapi-document.ts';
import { bareSachet, fixtures, origin, send, testSachet } from '../../support/sachet.ts';

const assumptions = allOffered;
const document: Json = await serviceDocumentOf(testSachet({ assumptions }));
const ids: readonly OperationId[] = operationsIn(document).map(({ shown }) => shown['x-operation']);
const successOf = (id: string): string =>
  Object.keys(operationIn(document, id).shown.responses).find((status) => status.startsWith('2')) ?? '';
const bodyOf = (one: Json, id: OperationId): Json => exampleIn(operationIn(one, id).shown.requestBody, 'sample');

/** The operation's path with the examples of its parameters. */
function exampleUrl(id: string): string {
  const { path, shown } = operationIn(document, id);
  const given: Json[] = (shown.parameters ?? []).filter(({ example }: Json) => example !== undefined);
  const names = Object.fromEntries(given.map(({ name, example }) => [name, example]));
  const query = given.filter((one) => one.in === 'query').map(({ name, example }) => [name, String(example)]);
  return `${filled(path, (name) => names[name])}?${new URLSearchParams(query)}`;
}

test.each([
  ['each on a new server', true],
  ['one after the other', false],
])('the examples of the requests succeed with the documented responses, %s', async (_, isNew) => {
  let sachet = testSachet({ assumptions });
  for (const id of ids) {
    if (isNew) sachet = testSachet({ assumptions });
    const login = { body: bodyOf(document, 'authentication.token') };
    const { access_token, refresh_token } = (await sachet.call('POST', operations['authentication.token'].path, login))
      .body;
    const body = id === 'authentication.refresh' ? { refresh_token } : bodyOf(document, id);
    const init = { headers: { authorization: `Bearer ${access_token}` }, ...(body ? { body } : {}) };
    const response = await sachet.call(operations[id].method, exampleUrl(id), init);
    expect([id, String(response.status), response.text]).toEqual([id, successOf(id), response.text]);
    const documented = operationIn(document, id).shown.responses[response.status];
    expect(complaints(document, documented.content['application/json'].schema, response.body)).toEqual([]);
    if (isNew) expect(Object.keys(exampleIn(documented, 'sample'))).toEqual(Object.keys(response.body));
  }
});

describe('the passwords in the documents', () => {
  const eve = { username: 'eve', password: 'hunter-2' };
  const placeholder = { username: 'demo', password: 'your-password' };
  /** The shipped fixtures, but only Eve can log in, and the last names of consumers identify them. */
  const ofEve = {
    ...fixtures,
    users: fixtures.users.map((user, index) => (index === 0 ? { ...user, ...eve } : { ...user, active: false })),
    consumers: fixtures.consumers.map((consumer) => ({ ...consumer, last_name: 'Secretive' })),
  };
  const paths = [openApiPath, `/sandboxes/production${openApiPath}`, controlOpenApiPath];
  const loginIn = (one: Json): Json => bodyOf(one, 'authentication.token');

  test('are that of the first user, and in the document of the control API none', async () => {
    const shown: string[][] = [];
    for (const path of paths) {
      const { text } = await testSachet().call('GET', path);
      shown.push(fixtures.users.map(({ password }) => password).filter((password) => text.includes(`"${password}"`)));
    }
    expect(shown).toEqual([['sachet-demo'], ['sachet-demo'], []]);
    expect(loginIn(await serviceDocumentOf(testSachet({ fixtures: ofEve })))).toEqual(eve);
  });

  test.each<[string, Partial<EngineOptions>]>([
    ['logins create no sandboxes', { loginSandboxes: false }],
    ['logins create no sandboxes, and the fixtures are shown', { loginSandboxes: false, showFixtures: true }],
    ['the fixtures are secret', { showFixtures: false }],
  ])('are none if %s, and no other record of the fixtures is shown', async (_, options) => {
    const sachet = testSachet({ ...options, fixtures: ofEve });
    for (const path of paths)
      expect((await sachet.call('GET', path)).text, path).not.toMatch(/"eve"|hunter-2|Secretive/);
    const one = await serviceDocumentOf(sachet);
    expect(loginIn(one)).toEqual(placeholder);
    const { responses } = operationIn(one, 'authentication.token').shown;
    expect(exampleIn(responses[200], 'sample')).toHaveProperty('access_token');
    expect((await testSachet(options).call('GET', openApiPath)).text).not.toContain('"sachet-demo"');
  });

  test('are none under an unknown host, and in a sandbox with its own key', async () => {
    const sachet = testSachet({ fixtures: ofEve });
    const under = (host: string, path: string) => sachet.call('GET', path, { headers: { host } });
    expect(loginIn((await under('localhost:4010', openApiPath)).body)).toEqual(eve);
    expect(loginIn((await under('evil.example', openApiPath)).body)).toEqual(placeholder);
    for (const path of paths) expect((await under('evil.example', path)).text).not.toMatch(/hunter-2|Secretive/);
    const { name } = await sachet.control.create({ own_key: true });
    expect(loginIn(await serviceDocumentOf(sachet, `/sandboxes/${name}`))).toEqual(placeholder);
    expect(loginIn((await under('localhost:4010', openApiPath)).body)).toEqual(eve);
  });
});

test('empty fixtures have a document without examples of successes, with the same rejections', async () => {
  const nothing = { users: [], packs: [], products: [], consumers: [], orders: [], fulfillments: [] };
  const bare = await serviceDocumentOf(testSachet({ fixtures: { ...fixtures, ...nothing }, assumptions }));
  expect(operationsIn(bare).length).toBe(ids.length);
  for (const { shown } of operationsIn(bare)) {
    const success = shown.responses[successOf(shown['x-operation'])];
    expect(success.content['application/json'].examples).toBeUndefined();
    for (const { in: part, name, schema, example } of shown.parameters ?? [])
      if (part === 'path') expect(complaints(bare, schema, example), name).toEqual([]);
  }
  const rejections = (one: Json) =>
    Object.keys(operationIn(one, 'orders.create').shown.responses[422].content['application/json'].examples).sort();
  expect(rejections(bare)).toEqual(rejections(document));
});

test('fixtures with other administration times have an order example that is accepted', async () => {
  const own = { ...fixtures, administration_times: { values: ['Dawn', 'Dusk'] } };
  const sachet = testSachet({ fixtures: own, assumptions: { time_of_administration: 'closed' } });
  const one = await serviceDocumentOf(sachet);
  const { requestBody, responses } = operationIn(one, 'orders.create').shown;
  expect(complaints(one, requestBody.content['application/json'].schema, bodyOf(one, 'orders.create'))).toEqual([]);
  expect(exampleIn(responses[201], 'sample')).toMatchObject({ order: { status: 'Pending' } });
});

const control: Json = await controlDocumentOf(testSachet());

test('the document of the control API has exactly the operations of the control API, in described groups, and a key for all but a claim', () => {
  const shown = operationsIn(control).map((one) => [one.shown['x-operation'], one.method.toUpperCase(), one.path]);
  expect(shown.sort()).toEqual(controlOperationList.map(({ id, method, path }) => [id, method, path]).sort());
  const groups = control.tags.map(({ name }: Json) => name);
  expect(operationsIn(control).filter(({ shown: { tags } }) => !groups.includes(tags[0]))).toEqual([]);
  const own = operationsIn(control).flatMap(({ shown }) =>
    'security' in shown ? [[shown['x-operation'], shown.security]] : [],
  );
  expect([control.security, ...own]).toEqual([[{ adminKey: [] }], ['sandboxes.claim', []]]);
  expect(control.components.securitySchemes.adminKey).toMatchObject({ type: 'http', scheme: 'bearer' });
});

const exampleOf = (id: string) => {
  const { requestBody } = operationIn(control, id).shown;
  return exampleIn(requestBody, exampleNames(requestBody)[0] ?? '');
};

/** A new server; `call` uses the examples of an operation's parameters, or these names. */
function newServer() {
  const sachet = bareSachet();
  const headers = { authorization: `Bearer ${sachet.adminKey}`, 'content-type': 'application/json' };
  async function call(id: string, body?: unknown, names: Readonly<Record<string, string>> = {}) {
    const { method, path, shown } = operationIn(control, id);
    const examples = Object.fromEntries((shown.parameters ?? []).map(({ name, example }: Json) => [name, example]));
    const url = origin + filled(path, (name) => examples[name] ?? names[name]);
    const init = { method: method.toUpperCase(), headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await sachet.fetch(url, init);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    return { status: response.status, text, json: text.startsWith('{') ? (JSON.parse(text) as Json) : undefined };
  }
  return { sachet, call };
}
type Server = ReturnType<typeof newServer>;

/** Creates what a call of a group needs, and returns its name. */
const before: Readonly<Record<string, (server: Server) => Promise<Record<string, string>>>> = {
  snapshots: async ({ call }) => ({ name: (await call('snapshots.create', exampleOf('snapshots.create'))).json.name }),
  faults: async ({ call }) => ({ id: (await call('faults.create', exampleOf('faults.create'))).json.id }),
  requests: async ({ sachet, call }) => {
    const login = { username: 'demo', password: 'sachet-demo' };
    const tokens: Json = await (await send(sachet, 'POST', '/v2/authentication/token', { body: login })).json();
    await send(sachet, 'POST', '/v2/orders', { token: tokens.access_token, body: sampleOrder() });
    return { id: (await call('requests.list')).json.requests[0].id };
  },
  scenarios: async ({ call }) => {
    await call('scenarios.apply', undefined, { name: 'no-pag' });
    return { name: 'no-pag' };
  },
};
/** Rejected because of the state: `stage` cannot be deleted, and other records refer to these. */
const notPossible =
  /^(sandboxes|records\.(accounts|brands|operator_products|products|consumers|orders|fulfillment_statuses))\.delete$/;

/** The problems of one example, sent to a new server. */
async function problemsOf(id: string, name: string): Promise<string[]> {
  const operation = operationIn(control, id);
  const { requestBody, responses } = operation.shown;
  const server = newServer();
  const group = id.split('.')[0] ?? '';
  const names = /\{(?:name|id)\}/.test(operation.path) || group === 'requests' ? await before[group]?.(server) : {};
  const body = id === 'state.put' ? (await server.call('state.get')).json : exampleIn(requestBody, name);
  const { status, text, json } = await server.call(id, body, names);
  // The example of a token is not one of this server.
  const refused = id === 'sandboxes.claim' ? '404' : undefined;
  const expected = notPossible.test(id)
    ? '422'
    : (refused ?? Object.keys(responses).find((one) => one.startsWith('2')));
  const schema = responseAt(control, operation, status)?.content?.['application/json']?.schema;
  const complaintsOfAll = [
    ...(text ? complaints(control, schema, json) : []),
    ...(requestBody ? complaints(control, requestBody.content['application/json'].schema, body) : []),
  ];
  return [...(String(status) === expected ? [] : [`${status} ${text}`]), ...complaintsOfAll].map(
    (problem) => `${id} ${name}: ${problem}`,
  );
}

const controlIds: readonly string[] = operationsIn(control).map(({ shown }) => shown['x-operation']);
test.each([...new Set(controlIds.map((id) => id.replace(/\..*$/, '')))])(
  'a new server accepts the examples of %s',
  async (group) => {
    const problems: string[] = [];
    for (const id of controlIds.filter((one) => one.startsWith(`${group}.`))) {
      const names = exampleNames(operationIn(control, id).shown.requestBody);
      for (const name of names.length === 0 ? ['without a body'] : names)
        problems.push(...(await problemsOf(id, name)));
    }
    expect(problems).toEqual([]);
  },
);

test('the document of the control API rejects bodies that the API rejects because of their form', async () => {
  const bodies: [string, unknown][] = [
    ['sandboxes.create', { name: 'UPPER' }],
    ['sandboxes.create', { own_key: 'short' }],
    ['sandboxes.create', { assumptions: { next_cursor: 'nowhere' } }],
    ['sandboxes.create', { color: 'red' }],
    ['snapshots.create', {}],
    ['clock.set', { rate: 0 }],
    ['clock.advance', { by: 'PT1M', seconds: 60 }],
    ['switches.set', { rate_limit: { burst: 0 } }],
    ['switches.set', { no_switch: null }],
    ['switches.set', { token_expiry: {} }],
    ['switches.set', { rate_limit: { burst: 1, for_seconds: 60 } }],
    ['switches.set', { server_error: { burst: 1, probability: 0.5 } }],
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
    ['records.consumers.create', { color: 'red' }],
    ['records.pags.update', { duration: 'long' }],
    ['singles.timeline.update', { shipped: { delay_seconds: -1 } }],
  ];
  const { call } = newServer();
  const wrong: unknown[] = [];
  for (const [id, body] of bodies) {
    const { status, text } = await call(id, body);
    const { schema } = operationIn(control, id).shown.requestBody.content['application/json'];
    if (![400, 422].includes(status) || complaints(control, schema, body).length === 0) wrong.push([id, body, text]);
  }
  expect(wrong).toEqual([]);
});
