import { expect, onTestFinished, test } from 'vitest';
import { debugHeaderNames } from '../../../src/contract/operation.ts';
import { type CallInit, testSachet } from '../../support/sachet.ts';
import { bearer } from './forbidden.ts';
import { ask, target } from './unprotected.ts';

const sachet = testSachet();
const withKey: CallInit = { headers: bearer(sachet.adminKey) };
const foreign: CallInit = { headers: { host: 'evil.example' } };

const service = { nosniff: 'nosniff', resource: null, opener: null, ancestors: null };
const data = { ...service, resource: 'same-origin' };
const page = { ...data, opener: 'same-origin', ancestors: "frame-ancestors 'none'" };

async function protectionOf(method: string, path: string, init: CallInit): Promise<typeof page | object> {
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

test.each<[string, object, readonly (readonly [call: string, init?: CallInit])[]]>([
  [
    'pages',
    page,
    [
      ['GET /_docs'],
      ['HEAD /_docs'],
      ['GET /sandboxes/nobody/_docs'],
      ['GET /_tracking/1ZA10E830367228528'],
      ['GET /sandboxes/nobody/_tracking/1Z'],
      ['GET /_console'],
      ['GET /_console/stage/nothing'],
      ['GET /_console/_assets/console.css'],
      ['GET /_console/stage/requests', foreign],
      ['GET /_console/_top/stage', withKey],
      ['GET /_console/_content/stage/orders', withKey],
      ['HEAD /_console/_live/stage', withKey],
      ['POST /_console/_do/stage/switches.clear', withKey],
      ['POST /_console/_order/stage'],
    ],
  ],
  [
    'documents, assets and the control API',
    data,
    [
      ['GET /_docs/openapi.json'],
      ['GET /sandboxes/nobody/_docs/openapi.json'],
      ['GET /_docs/start.js'],
      ['GET /_admin/sandboxes'],
      ['GET /_admin/sandboxes', withKey],
      ['GET /_admin/sandboxes', foreign],
      ['HEAD /_admin/sandboxes/stage/events', withKey],
      ['OPTIONS /_admin/sandboxes', withKey],
      ['GET /health'],
    ],
  ],
  [
    'the service and the storage',
    service,
    [
      ['GET /v2/products'],
      ['OPTIONS /v2/products'],
      ['GET /v2/nothing'],
      ['POST /v2/authentication/token'],
      ['GET /sandboxes/nobody/v2/products'],
      ['GET /_storage/labels/x.pdf'],
    ],
  ],
])('the protection of %s', async (_, expected, calls) => {
  for (const [call, init = {}] of calls) {
    const [method = '', path = ''] = call.split(' ');
    expect(await protectionOf(method, path, init), call).toEqual(expected);
  }
});

test('unchanged assets and successful responses are protected, too, as the journal shows', async () => {
  const { headers } = await sachet.call('GET', '/_docs/page.css');
  const known = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
  expect((await sachet.call('GET', '/_docs/page.css', known)).status).toBe(304);
  expect(await protectionOf('GET', '/_docs/page.css', known)).toEqual(data);
  const client = await sachet.login();
  expect((await client.get('/v2/products')).headers.get('x-content-type-options')).toBe('nosniff');
  const { requests } = await sachet.control.sandbox('stage').requests.list();
  expect(requests.at(-1)).toMatchObject({ response: { headers: { 'x-content-type-options': 'nosniff' } } });
});

test('over a port HEAD has the headers of GET with the length of its body, and no body', async () => {
  const server = await target();
  onTestFinished(() => server.close());
  const different = ['date', debugHeaderNames.requestId.toLowerCase()];
  const send = async (method: string, path: string, headers: Readonly<Record<string, string>>) => {
    const answer = await ask(server, path, { method, headers });
    const same = Object.entries(answer.headers).filter(([name]) => !different.includes(name));
    return { ...answer, headers: Object.fromEntries(same) };
  };
  const key = bearer(server.adminKey);
  for (const [path, headers] of [
    ['/health', {}],
    ['/_storage/labels/x.pdf', {}],
    ['/_tracking/1Z', {}],
    ['/_docs', {}],
    ['/_docs/openapi.json', {}],
    ['/_docs/page.css', {}],
    ['/_admin/sandboxes/stage/clock', key],
    ['/_console/_assets/console.css', {}],
    ['/_console/_content/stage/orders', key],
  ] as const) {
    const get = await send('GET', path, headers);
    const head = await send('HEAD', path, headers);
    expect(head, path).toEqual({ ...get, text: '' });
    expect(head.headers['content-length'], path).toBe(String(Buffer.byteLength(get.text)));
  }
  const { etag } = (await send('GET', '/_docs/page.css', {})).headers;
  const unchanged = await send('GET', '/_docs/page.css', { 'if-none-match': `${etag}` });
  expect(unchanged.status).toBe(304);
  expect(await send('HEAD', '/_docs/page.css', { 'if-none-match': `${etag}` })).toEqual(unchanged);
  // Streams have no length.
  for (const path of ['/_admin/sandboxes/stage/events', '/_console/_live/stage']) {
    const { status, headers } = await send('HEAD', path, key);
    expect([status, headers['content-length']], path).toEqual([200, undefined]);
  }
});
