// The OpenAPI documents over HTTP: where they stand, what they name, and that asking for them leaves no trace in the sandbox.
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { controlOpenApiPath, openApiPath } from '../../src/contract/addresses.ts';
import type { Answered } from '../../src/http/dependencies.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { controlled, everything } from '../support/control.ts';
import { baseUrlIn, controlDocumentOf, serviceDocumentOf } from '../support/openapi-served.ts';
import { fixtures, testSachet } from '../support/sachet.ts';

const origin = 'http://localhost:4010';
const bases = ['', '/sandboxes/stage', '/sandboxes/production'];
const paths = [...bases.map((base) => base + openApiPath), controlOpenApiPath];
const notFound = { statusCode: 404, error: 'Not Found', message: 'Not Found' };

test.each(paths)(
  'at %s there is a document of OpenAPI 3.1 as JSON, and the same to HEAD, with its length',
  async (path) => {
    const sachet = testSachet();
    const { status, headers, body, text } = await sachet.call('GET', path);
    const head = await sachet.call('HEAD', path);
    expect([status, body.openapi, head.status, head.text]).toEqual([200, '3.1.0', 200, '']);
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    const length = String(Buffer.byteLength(text));
    expect(Object.fromEntries(head.headers)).toEqual({ ...Object.fromEntries(headers), 'content-length': length });
  },
);

describe('?version=', () => {
  test.each(paths)('3.0 is the form of OpenAPI 3.0 at %s, with the same URL of its server', async (path) => {
    const sachet = testSachet();
    const [plain, named, older] = await Promise.all(
      ['', '?version=3.1', '?version=3.0'].map(async (query) => (await sachet.call('GET', path + query)).body),
    );
    expect(named).toEqual(plain);
    expect(older.openapi).toBe('3.0.3');
    expect(older.servers).toEqual(plain.servers);
    expect(Object.keys(older.paths)).toEqual(Object.keys(plain.paths));
  });

  test.each([
    ['version=2.0', '2.0'],
    ['version=3', '3'],
    ['version=', ''],
    ['version=3.1.0', '3.1.0'],
    ['version=3.0&version=3.1', '3.0, 3.1'],
  ])('"%s" is refused with those that there are', async (query, shown) => {
    for (const path of paths) {
      const { status, body } = await testSachet().call('GET', `${path}?${query}`);
      const message = `Unknown OpenAPI version "${shown}". Use one of: 3.1, 3.0`;
      expect([status, body]).toEqual([400, { statusCode: 400, error: 'Bad Request', message }]);
    }
  });
});

describe('a document names the URL that its paths stand behind', () => {
  test.each(bases)('under "%s" its own base URL', async (base) => {
    const document = await serviceDocumentOf(testSachet(), base);
    const description = 'This sandbox: the {base_url} of the contract';
    expect(document.servers).toEqual([{ url: origin + base, description }]);
  });

  test('for the control API the server itself', async () => {
    expect(baseUrlIn(await controlDocumentOf(testSachet()))).toBe(origin);
  });

  test('the one that it was asked under, each time', async () => {
    const sachet = testSachet();
    for (const asked of ['http://one.test', 'http://other.test:8080', 'https://one.test']) {
      expect(baseUrlIn((await sachet.call('GET', asked + openApiPath)).body)).toBe(asked);
      expect(baseUrlIn((await sachet.call('GET', asked + controlOpenApiPath)).body)).toBe(asked);
    }
  });

  test('the public URL where there is one', async () => {
    const sachet = testSachet({ publicUrl: 'https://sandbox.example/orders/' });
    const named = await Promise.all(bases.map(async (base) => baseUrlIn(await serviceDocumentOf(sachet, base))));
    expect(named).toEqual(bases.map((base) => `https://sandbox.example/orders${base}`));
    expect(baseUrlIn(await controlDocumentOf(sachet))).toBe('https://sandbox.example/orders');
  });

  test.each(['$&', '$$', '"'])('as it is, with %s in it', async (odd) => {
    const publicUrl = `https://sandbox.example/a${odd}b`;
    const sachet = testSachet({ publicUrl });
    expect(baseUrlIn(JSON.parse((await sachet.call('GET', openApiPath)).text))).toBe(publicUrl);
    expect(baseUrlIn(JSON.parse((await sachet.call('GET', controlOpenApiPath)).text))).toBe(publicUrl);
  });

  test.each(bases)('in its examples, too: under "%s" those of its sandbox', async (base) => {
    const { text } = await testSachet({ publicUrl: 'https://sandbox.example' }).call('GET', base + openApiPath);
    const urls = text.match(/(?<="(?:label|tracking)_url":")[^"]*/g) ?? [];
    expect(urls.length).toBeGreaterThan(3);
    const own = `https://sandbox.example${base || '/sandboxes/stage'}/_`;
    expect(urls.filter((url) => !url.startsWith(own))).toEqual([]);
    expect(text).not.toMatch(/localhost|sachet\.invalid/);
  });
});

describe('there is no document', () => {
  test.each(['nobody', 'UPPER', '%3Cb%3E'])('of a sandbox %s: the contract’s error body says so', async (name) => {
    const { status, body } = await testSachet().call('GET', `/sandboxes/${name}${openApiPath}`);
    const message = `There is no sandbox ${JSON.stringify(decodeURIComponent(name))}`;
    expect([status, body]).toEqual([404, { statusCode: 404, error: 'Not Found', message }]);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('to %s', async (method) => {
    const sachet = testSachet();
    for (const path of paths) {
      const { status, body } = await sachet.call(method, path);
      expect([status, body], path).toEqual([404, notFound]);
    }
  });

  test.each([
    '/_docs/openapi.yaml',
    '/_docs/openapi.json/',
    '/_docs/control',
    '/sandboxes/stage/_docs/control/openapi.json',
  ])('at %s', async (path) => {
    const { status, body } = await testSachet().call('GET', path);
    expect([status, body]).toEqual([404, notFound]);
  });
});

describe('a document is made apart from the sandbox', () => {
  test('that has the same state, byte for byte, and no word of it in its journal', async () => {
    const server = controlled({ assumptions: { consumer_endpoints: 'assumed' } });
    const { sachet, admin } = server;
    const stateOf = async (name: string) => (await admin('GET', `/sandboxes/${name}/state`)).text;
    const states = () => Promise.all(['stage', 'production'].map(stateOf));
    const [texts, before] = [await states(), await everything(server)];
    for (const path of paths) expect((await sachet.call('GET', path)).status).toBe(200);
    const after = await everything(server);
    expect(await states()).toEqual(texts);
    expect(after.versions.map((root, index) => root === before.versions[index])).toEqual([true, true]);
    expect((await admin('GET', '/sandboxes/stage/requests')).body).toMatchObject({ requests: [], dropped: 0 });
  });

  test('whose ids and tokens come as without it', async () => {
    const story = async (ask: boolean) => {
      const sachet = testSachet();
      if (ask) await serviceDocumentOf(sachet);
      const { token, refreshToken } = await sachet.login();
      return [token, refreshToken];
    };
    expect(await story(true)).toEqual(await story(false));
  });

  test('and is the same text from every server with these fixtures and readings', async () => {
    const settings = { assumptions: { next_cursor: 'meta' } } as const;
    const servers = [
      testSachet({ ...settings, randomSeed: 'one', clock: '2026-11-20T12:00:00Z' }),
      testSachet({ ...settings, randomSeed: 'two', clock: '2031-01-02T03:04:05Z+', debugHeaders: false }),
    ];
    const textsAt = (path: string) => Promise.all(servers.map(async (one) => (await one.call('GET', path)).text));
    for (const path of [openApiPath, controlOpenApiPath]) {
      const [one, other] = await textsAt(path);
      expect(one === other, path).toBe(true);
    }
    const { token } = await (servers[0] ?? testSachet()).login();
    expect((await textsAt(openApiPath)).join()).not.toContain(token);
  });

  test('with tokens that are good nowhere', async () => {
    const sachet = testSachet();
    const document = await serviceDocumentOf(sachet);
    const { access_token, refresh_token } =
      document.paths['/v2/authentication/token'].post.responses[200].content['application/json'].examples.sample.value;
    expect((await sachet.client(access_token).get('/v2/products')).status).toBe(401);
    const refreshed = await sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token } });
    expect(refreshed.status).toBe(401);
  });

  test('and is met by no fault, and uses none up', async () => {
    const { sachet } = controlled();
    const client = await sachet.login();
    await sachet.control.sandbox('stage').switches.set({ server_error: { burst: 1 } });
    expect((await sachet.call('GET', openApiPath)).status).toBe(200);
    expect([(await client.get('/v2/products')).status, (await client.get('/v2/products')).status]).toEqual([500, 200]);
  });
});

test('a look at a document uses the sandbox: it is not the longest unused one', async () => {
  const { sachet } = controlled({ maxSandboxes: 4 });
  for (const name of ['a', 'b']) await sachet.login(`demo+${name}`);
  await serviceDocumentOf(sachet, '/sandboxes/a');
  await sachet.login('demo+c');
  const { sandboxes } = await sachet.control.list();
  expect(sandboxes.map(({ name }) => name)).toEqual(['a', 'c', 'production', 'stage']);
});

test('each document that is asked for has its line in the log', async () => {
  const lines: Answered[] = [];
  const sachet = testSachet({ log: (answered) => void lines.push(answered) });
  for (const path of [openApiPath, `/sandboxes/nobody${openApiPath}`, controlOpenApiPath])
    await sachet.call('GET', path);
  expect(lines.map(({ path, status }) => [path, status])).toEqual([
    [openApiPath, 200],
    [`/sandboxes/nobody${openApiPath}`, 404],
    [controlOpenApiPath, 200],
  ]);
});

test('where the store fails, whoever asks is told by the service’s 500, and the log has its line', async () => {
  const [told, lines]: [unknown[], Answered[]] = [[], []];
  const sachet = createEngine({
    fixtures,
    store: { ...createChaosStore(), load: () => Promise.reject(new Error('no connection')) },
    onFailure: (error) => void told.push(error),
    log: (answered) => void lines.push(answered),
  });
  const response = await sachet.fetch(origin + openApiPath);
  expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
    500,
    'An internal server error occurred',
  ]);
  expect([told.length, lines.map(({ status }) => status)]).toEqual([1, [500]]);
});
