// The OpenAPI documents over HTTP: their paths, versions and URLs. Reading one leaves no trace in the sandbox.
import { expect, test } from 'vitest';
import { controlOpenApiPath, openApiPath } from '../../src/contract/addresses.ts';
import type { Answered } from '../../src/http/dependencies.ts';
import { errorOf } from '../cases/assumptions/choices.ts';
import { controlled, everything } from '../support/control.ts';
import { baseUrlIn, serviceDocumentOf } from '../support/openapi-document.ts';
import { testSachet } from '../support/sachet.ts';
import { refresh } from '../support/tokens.ts';

const origin = 'http://localhost:4010';
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
