// The examples of the service's document are true: its requests succeed on a new server, and it shows no password that is a secret.
import { describe, expect, test } from 'vitest';
import { controlOpenApiPath, filled, openApiPath } from '../../../src/contract/addresses.ts';
import { type OperationId, operations } from '../../../src/contract/operations.ts';
import type { EngineOptions } from '../../../src/engine.ts';
import { allOffered } from '../../cases/common.ts';
import type { Json } from '../../support/openapi-document.ts';
import { complaints, exampleIn, operationIn, operationsIn, serviceDocumentOf } from '../../support/openapi-document.ts';
import { fixtures, testSachet } from '../../support/sachet.ts';

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
