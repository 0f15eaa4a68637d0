// The Host of a request that comes over a port of loopback: only names that are known are answered, whatever is asked for.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { EngineOptions } from '../../../src/engine.ts';
import type { Answered } from '../../../src/http/dependencies.ts';
import { serve } from '../../../src/node/serve.ts';
import { docsPaths } from '../../support/docs-paths.ts';
import { ask } from '../../support/page-attacks.ts';
import { testSachet } from '../../support/sachet.ts';
import { type Target, target } from '../../support/unprotected.ts';

const lines: Answered[] = [];
let server: Target;
beforeAll(async () => {
  server = await target([], { log: (line) => lines.push(line) });
});
afterAll(() => server.close());

const statusUnder = async (host: string, path = '/v2/products', at: Pick<Target, 'port'> = server) =>
  (await ask(at, path, { headers: { host } })).status;

async function started(options: Partial<EngineOptions>): Promise<Target> {
  const made = await target([], options);
  onTestFinished(() => made.close());
  return made;
}

const paths = [
  '/v2/products',
  '/v2/nothing',
  '/sandboxes/stage/v2/products',
  '/sandboxes/nobody/v2/products',
  '/_storage/labels/x.pdf',
  '/sandboxes/stage/_storage/labels/x.pdf',
  '/_tracking/1Z',
  ...docsPaths,
  '/sandboxes/production/_docs',
  '/',
  '/nothing',
  '/health/',
  '/healthy',
  '/_administration',
  '/%5Fadmin/sandboxes',
  '/_admin/../v2/products',
  '/_console/%2E%2e/v2/products',
];

describe('under a host that is not known', () => {
  test.each(paths)('%s is refused', async (path) => {
    const before = await server.traces();
    const answer = await ask(server, path, { headers: { host: 'evil.example:4010' } });
    expect(answer).toMatchObject({
      status: 403,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'sandbox-rule': 'unknown_host',
      },
    });
    expect(JSON.parse(answer.text)).toEqual({
      statusCode: 403,
      error: 'Forbidden',
      message: 'The service does not accept the host "evil.example". To allow it, use --allowed-hosts evil.example',
    });
    expect(await server.traces()).toBe(before);
    const { pathname } = new URL(path, 'http://localhost');
    expect(lines.at(-1)).toMatchObject({ method: 'GET', path: pathname, status: 403, sandbox: undefined });
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])('%s is refused', async (method) => {
    const { status, text } = await ask(server, '/v2/orders', { method, headers: { host: 'evil.example' } });
    expect([status, text === '']).toEqual([403, method === 'HEAD']);
  });

  test('the control API and the console say so in their own words', async () => {
    for (const path of [
      '/_admin',
      '/_admin/sandboxes',
      '/_console',
      '/_console/stage/requests',
      '/_console/_top/stage',
    ]) {
      const { status, text } = await ask(server, path, { headers: { host: 'evil.example' } });
      expect([status, text]).toEqual([403, expect.stringContaining('The control API does not accept the host')]);
    }
  });

  test('health is answered', async () => {
    expect(await statusUnder('evil.example', '/health')).toBe(200);
    expect(await statusUnder('evil.example', '/health?x')).toBe(200);
  });

  test('without headers of the sandbox no rule is named', async () => {
    const bare = await started({ debugHeaders: false });
    const { status, headers } = await ask(bare, '/v2/products', { headers: { host: 'evil.example' } });
    expect([status, headers['sandbox-rule']]).toEqual([403, undefined]);
  });
});

const known = [
  ...['localhost', 'localhost:1', 'LOCALHOST:4010', '127.0.0.1', '[::1]:4010', 'w7.localhost'],
  ...['host.docker.internal:4010', 'host.containers.internal'],
];
const foreign = [
  'localhost.evil.com',
  'evillocalhost',
  'localhost.',
  '127.0.0.2',
  '127.0.0.1.evil.com',
  '0.0.0.0',
  '192.168.0.1',
  '[::]',
  'docker.internal',
  'sachet.invalid',
];
test.each(known)('the host %s is known', async (host) => {
  expect(await statusUnder(host)).toBe(401);
});
test.each(foreign)('the host %s is not', async (host) => {
  expect(await statusUnder(host)).toBe(403);
});
/** The adaptor takes no request under these. */
test.each(['localhost, localhost', 'a b', 'user@localhost', 'localhost/', '::1'])(
  'the host "%s" is none that could be read',
  async (host) => {
    const { status, text } = await ask(server, '/v2/products', { headers: { host } });
    expect([status, JSON.parse(text)]).toEqual([
      400,
      expect.objectContaining({ statusCode: 400, error: 'Bad Request' }),
    ]);
  },
);
test.each(['a!b', 'localhost!', "localhost'", 'local(host)', 'localhost,localhost'])(
  'the host "%s" is none',
  async (host) => {
    const { status, headers, text } = await ask(server, '/v2/products', { headers: { host } });
    expect([status, headers['sandbox-rule']]).toEqual([400, 'malformed_host']);
    const message = `A request has exactly one Host header; found ${JSON.stringify(host)}`;
    expect(JSON.parse(text)).toEqual({ statusCode: 400, error: 'Bad Request', message });
    const control = await ask(server, '/_admin/sandboxes', { headers: { host } });
    expect([control.status, JSON.parse(control.text).message]).toEqual([400, message]);
  },
);

test('hosts that were allowed, and that of the public URL, are known', async () => {
  const made = await started({ allowedHosts: ['Demo.example'], publicUrl: 'https://sachet.example.com/below' });
  const hosts = ['demo.example', 'sachet.example.com', 'x.demo.example'];
  expect(await Promise.all(hosts.map((host) => statusUnder(host, '/v2/products', made)))).toEqual([401, 401, 403]);
});

describe('where other machines reach the port', () => {
  test('the service answers under any host, and the control API and the console do not', async () => {
    const made = await started({ takesAnyHost: true });
    const under = (path: string) => statusUnder('evil.example', path, made);
    const answered = [
      '/v2/products',
      '/_docs',
      '/_tracking/1Z',
      '/health',
      '/_admin/sandboxes',
      '/_console/stage/requests',
    ];
    expect(await Promise.all(answered.map(under))).toEqual([401, 200, 404, 200, 403, 403]);
  });

  test('which is what the address to listen on says', async () => {
    const statuses: number[] = [];
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      await using sachet = await serve({ host });
      statuses.push(await statusUnder('evil.example', '/v2/products', { port: Number(new URL(sachet.baseUrl).port) }));
    }
    expect(statuses).toEqual([403, 401]);
  });
});

test('in process, where no page is, any host is answered', async () => {
  const { status } = await testSachet().call('GET', '/v2/products', { headers: { host: 'evil.example' } });
  expect(status).toBe(401);
});
