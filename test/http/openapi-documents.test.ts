// The OpenAPI documents over HTTP: their paths, versions and URLs, the assumptions that they follow, and how they are kept in memory.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { controlOpenApiPath, openApiPath } from '../../src/contract/addresses.ts';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../src/contract/assumptions.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operationList } from '../../src/contract/operations.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { createSachet } from '../../src/create-sachet.ts';
import type { EngineOptions } from '../../src/engine.ts';
import { examplesOf } from '../../src/examples.ts';
import type { Answered } from '../../src/http/dependencies.ts';
import { Documents, DocumentsBusy } from '../../src/http/docs/documents.ts';
import { errorOf } from '../cases/assumptions/choices.ts';
import { allOffered } from '../cases/common.ts';
import { orderWith } from '../cases/requests.ts';
import { controlled, everything } from '../support/control.ts';
import {
  baseUrlIn,
  complaints,
  exampleNames,
  type Json,
  operationIn,
  operationsIn,
  serviceDocumentOf,
} from '../support/openapi-document.ts';
import { fixtures, origin, testSachet } from '../support/sachet.ts';
import { refresh } from '../support/tokens.ts';

const paths = ['', '/sandboxes/stage', '/sandboxes/production'].map((base) => base + openApiPath);
paths.push(controlOpenApiPath);
const lines: Answered[] = [];
const sachet = testSachet({ log: (line) => void lines.push(line) });

test.each(paths)(
  'GET %s is a document of OpenAPI 3.1 or 3.0 as JSON; HEAD has its headers and length',
  async (path) => {
    const { status, headers, body, text } = await sachet.call('GET', path);
    expect(lines.at(-1)).toMatchObject({ method: 'GET', path, status: 200 });
    const head = await sachet.call('HEAD', path);
    expect([status, body.openapi, head.status, head.text]).toEqual([200, '3.1.0', 200, '']);
    const expected = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    };
    expect(Object.fromEntries(headers)).toEqual(expected);
    const length = String(Buffer.byteLength(text));
    expect(Object.fromEntries(head.headers)).toEqual({ ...expected, 'content-length': length });
    expect((await sachet.call('GET', `${path}?version=3.1`)).text).toBe(text);
    const { body: older } = await sachet.call('GET', `${path}?version=3.0`);
    expect([older.openapi, older.servers]).toEqual(['3.0.3', body.servers]);
    expect(Object.keys(older.paths)).toEqual(Object.keys(body.paths));
    for (const [query, found] of [
      ['version=2.0', '2.0'],
      ['version=3.0&version=3.1', '3.0, 3.1'],
    ]) {
      const message = `Unknown OpenAPI version "${found}". Use one of: 3.1, 3.0`;
      expect((await sachet.call('GET', `${path}?${query}`)).body).toEqual(errorOf(400, message));
    }
    expect((await sachet.call('POST', path)).body).toEqual(errorOf(404, 'Not Found'));
  },
);

test('an unknown path or an unknown sandbox is 404', async () => {
  for (const path of ['/_docs/openapi.yaml', '/_docs/openapi.json/', '/sandboxes/stage/_docs/control/openapi.json'])
    expect((await sachet.call('GET', path)).body, path).toEqual(errorOf(404, 'Not Found'));
  for (const name of ['nobody', '%3Cb%3E']) {
    const message = `There is no sandbox ${JSON.stringify(decodeURIComponent(name))}`;
    expect((await sachet.call('GET', `/sandboxes/${name}${openApiPath}`)).body).toEqual(errorOf(404, message));
  }
});

test('a document names the URL of its server, which is the one of the request, each time', async () => {
  const description = 'This sandbox: the {base_url} of the contract';
  for (const base of ['', '/sandboxes/production'])
    expect((await serviceDocumentOf(sachet, base)).servers).toEqual([{ url: origin + base, description }]);
  for (const asked of ['http://other.test:8080', 'https://one.test'])
    for (const path of [openApiPath, controlOpenApiPath])
      expect(baseUrlIn((await sachet.call('GET', asked + path)).body)).toBe(asked);
});

test('a document names the public URL, as it is, in its examples, too', async () => {
  const publicUrl = 'https://sandbox.example/orders$&"';
  const behindProxy = testSachet({ publicUrl: `${publicUrl}/` });
  expect(baseUrlIn((await behindProxy.call('GET', controlOpenApiPath)).body)).toBe(publicUrl);
  for (const base of ['', '/sandboxes/production']) {
    const { text, body } = await behindProxy.call('GET', base + openApiPath);
    expect(baseUrlIn(body)).toBe(publicUrl + base);
    expect(text).not.toMatch(/localhost|sachet\.invalid/);
    const urls = Array.from(text.matchAll(/"(?:label|tracking)_url":("(?:[^"\\]|\\.)*")/g), ([, url = '']) => url);
    expect(urls.length).toBeGreaterThan(3);
    const own = `${publicUrl}${base || '/sandboxes/stage'}/_`;
    expect(urls.filter((url) => !JSON.parse(url).startsWith(own))).toEqual([]);
  }
});

test('reading a document changes no state, needs no token, is no call in the journal, and uses up no fault', async () => {
  const server = controlled({ assumptions: { consumer_endpoints: 'assumed' } });
  const states = () =>
    Promise.all(['stage', 'production'].map((name) => server.sachet.control.sandbox(name).state.get()));
  await server.sachet.control.sandbox('stage').switches.set({ server_error: { burst: 1 } });
  const [documents, { versions, journals }] = [await states(), await everything(server)];
  for (const path of paths) expect((await server.sachet.call('GET', path)).status).toBe(200);
  expect(await everything(server)).toMatchObject({ versions, journals });
  expect([await states(), journals]).toEqual([documents, [[], []]]);
  const statuses = [];
  for (let n = 0; n < 2; n += 1) statuses.push((await server.sachet.call('GET', '/v2/products')).status);
  expect(statuses).toEqual([500, 401]);
});

test('every server with these fixtures and assumptions has the same documents, with tokens that work nowhere', async () => {
  const assumptions = { next_cursor: 'meta' } as const;
  const one = testSachet({ assumptions, randomSeed: 'one', clock: '2026-11-20T12:00:00Z' });
  const other = testSachet({ assumptions, randomSeed: 'two', clock: '2031-01-02T03:04:05Z+', debugHeaders: false });
  for (const path of [openApiPath, controlOpenApiPath]) {
    const { text } = await one.call('GET', path);
    expect((await other.call('GET', path)).text === text, path).toBe(true);
  }
  const login = (await serviceDocumentOf(one)).paths['/v2/authentication/token'].post.responses[200];
  const { access_token, refresh_token } = login.content['application/json'].examples.sample.value;
  expect((await one.client(access_token).get('/v2/products')).status).toBe(401);
  expect((await refresh(one, refresh_token)).status).toBe(401);
});

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

const { service, control } = examplesOf(fixtures, createEngine);

/** Documents that count how often each was made, by its times of administration; `spoil` is called before each. */
function counted(spoil: (times: string) => void = () => undefined) {
  const made: string[] = [];
  const illustrations = {
    control,
    service: async (...[assumptions, ...more]: Parameters<typeof service>) => {
      const times = assumptions.administrationTimes.join();
      made.push(times);
      spoil(times);
      return service(assumptions, ...more);
    },
  };
  const documents = new Documents(async () => illustrations, '0.1.0');
  const request = { origin: 'http://a', sandbox: 'stage', baseUrl: 'http://a', isOpen: true, version: '3.1' } as const;
  const choices = resolveChoices();
  return { made, get: (time: string) => documents.service(new Assumptions(choices, [time]), request) };
}

describe('a document is made', () => {
  test('once for all who request it, and again if that failed', async () => {
    let isSpoilt = true;
    const { made, get } = counted((times) => {
      if (times === 'a' && isSpoilt) throw new Error('no room');
    });
    const results = await Promise.allSettled([get('a'), get('b'), get('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    isSpoilt = false;
    expect(await get('a')).toContain('"openapi"');
    await get('b');
    expect(made).toEqual(['a', 'b', 'a']);
  });

  test('after at most 15 others; one more is rejected as busy', async () => {
    const { get } = counted(() => {
      throw new Error('no room');
    });
    for (let round = 0; round < 2; round += 1) {
      const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => get(`time ${n}`)));
      const busy = results.map((one) => one.status === 'rejected' && one.reason instanceof DocumentsBusy);
      expect(busy).toEqual([...Array(16).fill(false), ...Array(4).fill(true)]);
    }
  });
});

test('a document that cannot be made now is 503, with Retry-After', async () => {
  const busy = vi.spyOn(Documents.prototype, 'service').mockRejectedValueOnce(new DocumentsBusy('busy'));
  onTestFinished(() => busy.mockRestore());
  const response = await createSachet().fetch(`http://localhost${openApiPath}`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({ statusCode: 503, error: 'Service Unavailable' });
});

test('in process the URLs of the examples are those of the sandbox', async () => {
  const sachet = createSachet();
  await sachet.createSandbox({ name: 'w9' });
  for (const name of ['w9', 'stage']) {
    const { baseUrl } = sachet.sandbox(name);
    const text = await (await sachet.fetch(new URL(baseUrl + openApiPath))).text();
    const urls = text.match(/(?<="(?:label|tracking)_url":")[^"]*/g) ?? [];
    expect(urls.length).toBeGreaterThan(3);
    expect(urls.filter((url) => !url.startsWith(`${baseUrl}/_`))).toEqual([]);
  }
});

test.each([
  ['any', false],
  ['closed', true],
] as const)(
  "under an unknown host the sandbox's own times are shown with time_of_administration %s: %s",
  async (choice, isShown) => {
    const own = { ...fixtures, administration_times: { values: ['Our launch'] } };
    const engine = createEngine({ assumptions: { time_of_administration: choice }, fixtures: own });
    const text = await (await engine.fetch(`http://evil.example${openApiPath}`)).text();
    expect(text.includes('Our launch')).toBe(isShown);
  },
);
