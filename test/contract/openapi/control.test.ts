// The control API's document: it has every operation, and a new server accepts its examples.
import { expect, test } from 'vitest';
import { filled } from '../../../src/contract/addresses.ts';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import { sampleOrder } from '../../../src/sample-order.ts';
import type { Json } from '../../support/openapi-document.ts';
import {
  complaints,
  controlDocumentOf,
  exampleIn,
  exampleNames,
  operationIn,
  operationsIn,
  responseAt,
} from '../../support/openapi-document.ts';
import { bareSachet, origin, send, testSachet } from '../../support/sachet.ts';

const document: Json = await controlDocumentOf(testSachet());

test('it has exactly the operations of the control API, each with a key and in a described group', () => {
  const shown = operationsIn(document).map((one) => [one.shown['x-operation'], one.method.toUpperCase(), one.path]);
  expect(shown.sort()).toEqual(controlOperationList.map(({ id, method, path }) => [id, method, path]).sort());
  const groups = document.tags.map(({ name }: Json) => name);
  const wrong = operationsIn(document).filter(({ shown }) => !groups.includes(shown.tags[0]) || 'security' in shown);
  expect([wrong, document.security]).toEqual([[], [{ adminKey: [] }]]);
  expect(document.components.securitySchemes.adminKey).toMatchObject({ type: 'http', scheme: 'bearer' });
});

const exampleOf = (id: string) => {
  const { requestBody } = operationIn(document, id).shown;
  return exampleIn(requestBody, exampleNames(requestBody)[0] ?? '');
};

/** A new server; `call` uses the examples of an operation's parameters, or these names. */
function newServer() {
  const sachet = bareSachet();
  const headers = { authorization: `Bearer ${sachet.adminKey}`, 'content-type': 'application/json' };
  async function call(id: string, body?: unknown, names: Readonly<Record<string, string>> = {}) {
    const { method, path, shown } = operationIn(document, id);
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
  const operation = operationIn(document, id);
  const { requestBody, responses } = operation.shown;
  const server = newServer();
  const group = id.split('.')[0] ?? '';
  const names = /\{(?:name|id)\}/.test(operation.path) || group === 'requests' ? await before[group]?.(server) : {};
  const body = id === 'state.put' ? (await server.call('state.get')).json : exampleIn(requestBody, name);
  const { status, text, json } = await server.call(id, body, names);
  const expected = notPossible.test(id) ? '422' : Object.keys(responses).find((one) => one.startsWith('2'));
  const schema = responseAt(document, operation, status)?.content?.['application/json']?.schema;
  const complaintsOfAll = [
    ...(text ? complaints(document, schema, json) : []),
    ...(requestBody ? complaints(document, requestBody.content['application/json'].schema, body) : []),
  ];
  return [...(String(status) === expected ? [] : [`${status} ${text}`]), ...complaintsOfAll].map(
    (problem) => `${id} ${name}: ${problem}`,
  );
}

const ids: readonly string[] = operationsIn(document).map(({ shown }) => shown['x-operation']);
test.each([...new Set(ids.map((id) => id.replace(/\..*$/, '')))])(
  'a new server accepts the examples of %s',
  async (group) => {
    const problems: string[] = [];
    for (const id of ids.filter((one) => one.startsWith(`${group}.`))) {
      const names = exampleNames(operationIn(document, id).shown.requestBody);
      for (const name of names.length === 0 ? ['without a body'] : names)
        problems.push(...(await problemsOf(id, name)));
    }
    expect(problems).toEqual([]);
  },
);

test('the document rejects bodies that the control API rejects because of their form', async () => {
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
    const { schema } = operationIn(document, id).shown.requestBody.content['application/json'];
    if (![400, 422].includes(status) || complaints(document, schema, body).length === 0) wrong.push([id, body, text]);
  }
  expect(wrong).toEqual([]);
});
