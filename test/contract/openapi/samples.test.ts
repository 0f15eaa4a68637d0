// What the service's document shows as examples is true: its requests succeed on a new server, its answers are such a server's, and no
// password stands in it that is its owner's.
import { describe, expect, test } from 'vitest';
import { controlOpenApiPath, filled, openApiPath } from '../../../src/contract/addresses.ts';
import { type OperationId, operations } from '../../../src/contract/operations.ts';
import type { EngineOptions } from '../../../src/engine.ts';
import { allOffered } from '../../cases/common.ts';
import { complaints, exampleIn, operationIn, operationsIn } from '../../support/openapi-document.ts';
import { serviceDocumentOf } from '../../support/openapi-served.ts';
import type { Json } from '../../support/published-documents.ts';
import { fixtures, type TestSachet, testSachet } from '../../support/sachet.ts';

const assumptions = allOffered;
const document: Json = await serviceDocumentOf(testSachet({ assumptions }));

/** The operation's path with the examples of its parameters. */
function exampleUrl(id: string): string {
  const { path, shown } = operationIn(document, id);
  const given: Json[] = (shown.parameters ?? []).filter(({ example }: Json) => example !== undefined);
  const names = Object.fromEntries(
    given.filter((one) => one.in === 'path').map(({ name, example }) => [name, example]),
  );
  const query = given.filter((one) => one.in === 'query').map(({ name, example }) => [name, String(example)]);
  return `${filled(path, (name) => names[name])}?${new URLSearchParams(query)}`;
}

/** As whoever reads the document would: first the login, with its example; then the call. */
async function tried(sachet: TestSachet, id: OperationId) {
  const login = await sachet.call('POST', operations['authentication.token'].path, {
    body: bodyOf('authentication.token'),
  });
  const { access_token, refresh_token } = login.body;
  const body = id === 'authentication.refresh' ? { refresh_token } : bodyOf(id);
  const headers = { authorization: `Bearer ${access_token}` };
  return sachet.call(operations[id].method, exampleUrl(id), { headers, ...(body ? { body } : {}) });
}

const bodyOf = (id: OperationId): Json => {
  const { requestBody } = operationIn(document, id).shown;
  return requestBody && exampleIn(requestBody, 'sample');
};

const successOf = (id: string): string =>
  Object.keys(operationIn(document, id).shown.responses).find((status) => status.startsWith('2')) ?? '';

describe('the example of a request succeeds on a new server, as is documented', () => {
  test.each(operationsIn(document).map(({ shown }) => shown['x-operation'] as OperationId))('%s', async (id) => {
    const { status, body, text } = await tried(testSachet({ assumptions }), id);
    expect([String(status), text]).toEqual([successOf(id), text]);
    const response = operationIn(document, id).shown.responses[status];
    expect(complaints(document, response.content['application/json'].schema, body)).toEqual([]);
    const shown = exampleIn(response, 'sample');
    expect(Object.keys(shown)).toEqual(Object.keys(body));
  });

  test('one after the other, too', async () => {
    const sachet = testSachet({ assumptions });
    for (const { shown } of operationsIn(document)) {
      const { status, text } = await tried(sachet, shown['x-operation']);
      expect(String(status), text).toBe(successOf(shown['x-operation']));
    }
  });
});

test('every parameter of a path has an example, and each example is good by its schema', () => {
  for (const { shown } of operationsIn(document)) {
    for (const { in: part, name, schema, example, required } of shown.parameters ?? []) {
      const where = `${shown['x-operation']} ${name}`;
      expect(required ?? false, where).toBe(part === 'path');
      if (part === 'path') expect(example, where).toBeDefined();
      if (example !== undefined) expect(complaints(document, schema, example), where).toEqual([]);
    }
  }
});

test('a list shows no more than two of its items', () => {
  const lists = operationsIn(document).flatMap(({ shown }) =>
    Object.values(exampleIn(shown.responses[successOf(shown['x-operation'])], 'sample')).filter(Array.isArray),
  );
  expect(lists.map(({ length }) => length)).toEqual(
    lists.map(() => expect.toSatisfy((length) => length >= 1 && length <= 2)),
  );
  expect(lists.length).toBeGreaterThanOrEqual(5);
});

const eve = { username: 'eve', password: 'hunter-2' };
/** The shipped fixtures, but that Eve alone may log in, and that a consumer's name tells whose they are. */
const ofEve = {
  ...fixtures,
  users: fixtures.users.map((user, index) => (index === 0 ? { ...user, ...eve } : { ...user, active: false })),
  consumers: fixtures.consumers.map((consumer) => ({ ...consumer, last_name: 'Secretive' })),
};

describe('of the passwords', () => {
  const passwords = fixtures.users.map(({ password }) => password);
  const shownIn = async (sachet: TestSachet, path: string) => {
    const { text } = await sachet.call('GET', path);
    return passwords.filter((password) => text.includes(`"${password}"`));
  };

  const loginIn = (one: Json): Json => exampleIn(operationIn(one, 'authentication.token').shown.requestBody, 'sample');
  const paths = [openApiPath, `/sandboxes/production${openApiPath}`, controlOpenApiPath];

  test('that of the first user alone is shown, and to the control API’s readers none', async () => {
    const shown = await Promise.all(paths.map((path) => shownIn(testSachet(), path)));
    expect(shown).toEqual([['sachet-demo'], ['sachet-demo'], []]);
  });

  test('those of other fixtures are theirs', async () => {
    expect(loginIn(await serviceDocumentOf(testSachet({ fixtures: ofEve })))).toEqual(eve);
  });

  const closed = { username: 'demo', password: 'your-password' };

  test.each<[string, Partial<EngineOptions>]>([
    ['logins make no sandboxes', { loginSandboxes: false }],
    ['logins make no sandboxes, though a login shall be ready', { loginSandboxes: false, showFixtures: true }],
    ['passwords are secrets', { showFixtures: false }],
  ])('none is shown where %s, and nothing else of these fixtures', async (_, options) => {
    for (const sachet of [testSachet(options), testSachet({ ...options, fixtures: ofEve })]) {
      for (const path of paths) {
        expect(await shownIn(sachet, path), path).toEqual([]);
        expect((await sachet.call('GET', path)).text, path).not.toMatch(/"eve"|hunter-2|Secretive/);
      }
      const one = await serviceDocumentOf(sachet);
      expect(loginIn(one)).toEqual(closed);
      expect(exampleIn(operationIn(one, 'authentication.token').shown.responses[200], 'sample')).toHaveProperty(
        'access_token',
      );
    }
  });

  test('none is shown under a host that is not known, whoever asked before', async () => {
    const sachet = testSachet({ fixtures: ofEve });
    for (const path of [openApiPath, controlOpenApiPath])
      expect((await sachet.call('GET', path)).text).toContain('Secretive');
    const askedUnder = async (host: string) => (await sachet.call('GET', openApiPath, { headers: { host } })).body;
    expect(loginIn(await askedUnder('localhost:4010'))).toEqual(eve);
    expect(loginIn(await askedUnder('evil.example'))).toEqual(closed);
    for (const path of paths)
      expect((await sachet.call('GET', path, { headers: { host: 'evil.example' } })).text).not.toMatch(
        /hunter-2|Secretive/,
      );
    expect(loginIn(await askedUnder('localhost:4010'))).toEqual(eve);
  });

  test('none is shown in a sandbox with a key of its own', async () => {
    const sachet = testSachet({ fixtures: ofEve });
    const { name } = await sachet.control.create({ own_key: true });
    expect(loginIn(await serviceDocumentOf(sachet, `/sandboxes/${name}`))).toEqual(closed);
    expect(loginIn(await serviceDocumentOf(sachet))).toEqual(eve);
  });
});

describe('there is a document', () => {
  test('of fixtures that have nothing, with no answers of a success', async () => {
    const nothing = { users: [], packs: [], products: [], consumers: [], orders: [], fulfillments: [] };
    const bare = await serviceDocumentOf(testSachet({ fixtures: { ...fixtures, ...nothing }, assumptions }));
    const all = operationsIn(bare);
    expect(all.length).toBe(operationsIn(document).length);
    for (const { shown } of all) {
      expect(shown.responses[successOf(shown['x-operation'])].content['application/json'].examples).toBeUndefined();
      for (const { in: part, name, schema, example } of shown.parameters ?? [])
        if (part === 'path') expect(complaints(bare, schema, example), `${shown['x-operation']} ${name}`).toEqual([]);
    }
    const refusals = (one: Json) =>
      Object.keys(operationIn(one, 'orders.create').shown.responses[422].content['application/json'].examples).sort();
    expect(refusals(bare)).toEqual(refusals(document));
  });

  test('of fixtures with other times of day, with an order that is taken', async () => {
    const values = ['Dawn', 'Dusk'];
    const own = { ...fixtures, administration_times: { values } };
    const served = await serviceDocumentOf(
      testSachet({ fixtures: own, assumptions: { time_of_administration: 'closed' } }),
    );
    const { requestBody, responses } = operationIn(served, 'orders.create').shown;
    const { schema, examples } = requestBody.content['application/json'];
    expect(complaints(served, schema, examples.sample.value)).toEqual([]);
    expect(exampleIn(responses[201], 'sample')).toMatchObject({ order: { status: 'Pending' } });
  });
});
