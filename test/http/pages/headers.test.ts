// The headers by which a browser keeps answers from pages of other origins, on everything that there is: successes, refusals, redirections.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bearer } from '../../support/forbidden.ts';
import { type CallInit, testSachet } from '../../support/sachet.ts';

const sachet = testSachet();
const withKey: CallInit = { headers: bearer(sachet.adminKey) };
const foreign: CallInit = { headers: { host: 'evil.example' } };

/** What stands in the answer of the headers that matter here. */
async function guarded(method: string, path: string, init: CallInit): Promise<Record<string, string | null>> {
  const { headers } = await sachet.call(method, path, init);
  expect([...headers.keys()].filter((name) => /^access-control-|^set-cookie$/.test(name))).toEqual([]);
  const [ancestors = null] = /frame-ancestors [^;]*/.exec(headers.get('content-security-policy') ?? '') ?? [];
  return {
    nosniff: headers.get('x-content-type-options'),
    resource: headers.get('cross-origin-resource-policy'),
    opener: headers.get('cross-origin-opener-policy'),
    ancestors,
  };
}

const service = { nosniff: 'nosniff', resource: null, opener: null, ancestors: null };
const data = { ...service, resource: 'same-origin' };
const page = { ...data, opener: 'same-origin', ancestors: "frame-ancestors 'none'" };

describe('pages', () => {
  test.each<[string, string, CallInit]>([
    ['GET', '/_docs', {}],
    ['HEAD', '/_docs', {}],
    ['GET', '/_docs/', {}],
    ['GET', '/_docs?document=control', {}],
    ['GET', '/sandboxes/nobody/_docs', {}],
    ['GET', '/_tracking/1ZA10E830367228528', {}],
    ['GET', '/_tracking/unknown', {}],
    ['GET', '/sandboxes/nobody/_tracking/1Z', {}],
    ['GET', '/_console', {}],
    ['GET', '/_console/', {}],
    ['GET', '/_console/stage', {}],
    ['GET', '/_console/stage/requests', {}],
    ['GET', '/_console/stage/nothing', {}],
    ['GET', '/_console/STAGE/requests', {}],
    ['GET', '/_console/_nothing', {}],
    ['GET', '/_console/_assets/console.css', {}],
    ['GET', '/_console/_assets/nothing.js', {}],
    ['GET', '/_console/stage/requests', foreign],
    ['POST', '/_console/stage/requests', {}],
    ['GET', '/_console/_top/stage', {}],
    ['GET', '/_console/_top/stage', withKey],
    ['GET', '/_console/_content/stage/orders', {}],
    ['GET', '/_console/_content/stage/orders', withKey],
    ['HEAD', '/_console/_live/stage', withKey],
    ['GET', '/_console/_live/stage', {}],
    ['POST', '/_console/_do/stage/switches.clear', withKey],
    ['POST', '/_console/_do/stage/nothing', withKey],
    ['POST', '/_console/_order/stage', {}],
  ])('%s %s', async (method, path, init) => {
    expect(await guarded(method, path, init)).toEqual(page);
  });
});

describe('what pages are made of, and the control API', () => {
  test.each<[string, string, CallInit]>([
    ['GET', '/_docs/openapi.json', {}],
    ['GET', '/sandboxes/nobody/_docs/openapi.json', {}],
    ['GET', '/_docs/control/openapi.json', {}],
    ['GET', '/_docs/start.js', {}],
    ['GET', '/_admin/sandboxes', {}],
    ['GET', '/_admin/sandboxes', withKey],
    ['GET', '/_admin/sandboxes', foreign],
    ['PUT', '/_admin/sandboxes', withKey],
    ['GET', '/_admin/nothing', withKey],
    ['GET', '/_admin', {}],
    ['DELETE', '/_admin/sandboxes/stage/switches', withKey],
    ['HEAD', '/_admin/sandboxes/stage/events', withKey],
    ['OPTIONS', '/_admin/sandboxes', withKey],
    ['GET', '/health', {}],
  ])('%s %s', async (method, path, init) => {
    expect(await guarded(method, path, init)).toEqual(data);
  });

  test('what a browser has already', async () => {
    const { headers } = await sachet.call('GET', '/_docs/page.css');
    const known = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    expect((await sachet.call('GET', '/_docs/page.css', known)).status).toBe(304);
    expect(await guarded('GET', '/_docs/page.css', known)).toEqual(data);
  });
});

describe('the service', () => {
  test.each([
    ['GET', '/v2/products'],
    ['OPTIONS', '/v2/products'],
    ['GET', '/v2/nothing'],
    ['POST', '/v2/authentication/token'],
    ['GET', '/sandboxes/nobody/v2/products'],
    ['GET', '/_storage/labels/x.pdf'],
    ['OPTIONS', '/_storage/labels/x.pdf'],
    ['GET', '/sandboxes/nobody/_storage/labels/x.pdf'],
    ['GET', '/nothing'],
    ['PUT', '/_console/stage/requests'],
    ['OPTIONS', '/_docs/openapi.json'],
  ])('%s %s', async (method, path) => {
    expect(await guarded(method, path, {})).toEqual(service);
  });

  test('an answer that succeeds, as the journal has it, too', async () => {
    const client = await sachet.login();
    expect((await client.get('/v2/products')).headers.get('x-content-type-options')).toBe('nosniff');
    const [entry] = (await sachet.control.sandbox('stage').requests.list()).requests;
    expect(entry).toMatchObject({ response: { headers: { 'x-content-type-options': 'nosniff' } } });
  });
});

test.each(['/v2/products', '/v2/orders', '/sandboxes/stage/v2/authentication/token'])(
  'OPTIONS of %s is no route, also as a preflight',
  async (path) => {
    const headers = { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' };
    expect((await sachet.call('OPTIONS', path, { headers })).status).toBe(404);
  },
);

test('answers become a Response where they are protected; made elsewhere are streams, and what broke on its way', () => {
  const made =
    /new Response\(|Response\.(?:json|redirect)\(|\bcontext\.(?:body|html|json|newResponse|text)\(|[^.]\bstream\(/;
  const makers = ['http', 'console'].flatMap((layer) =>
    readdirSync(`src/${layer}`, { recursive: true, encoding: 'utf8' })
      .map((path) => `${layer}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path))
      .filter((path) => made.test(readFileSync(`src/${path}`, 'utf8'))),
  );
  const streams = ['console/live.ts', 'http/control/journal.ts'];
  expect(makers.sort()).toEqual([...streams, 'http/in-process.ts', 'http/response.ts'].sort());
});
