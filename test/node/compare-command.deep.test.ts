// The command `sachet compare`: what it prints, its exit code, and targets that are no service.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { controlClient } from '../../src/client/control-client.ts';
import type { CompareDocument } from '../../src/node/fidelity/compare-report.ts';
import { selfSigned } from '../../src/node/self-signed.ts';
import { serve } from '../../src/node/serve.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { served } from '../library/starts.ts';
import { call, folder, freePort, listening, logIn } from '../support/command.ts';
import { errorHere, resultHere } from '../support/command-here.ts';
import { readXml } from './xml.ts';

const login = ['--username', 'demo', '--password-env', 'PASSWORD'];
const password = { PASSWORD: 'sachet-demo' };
const fast = ['--rate', '1000', ...login];

/** The HAR of a client that reads, orders and pages. */
let har: string;
beforeAll(async () => {
  await using server = await serve();
  const { baseUrl: url, adminKey } = server;
  const token = await logIn({ url, username: 'demo', password: 'sachet-demo' });
  await call('GET', `${url}/v2/products`, { token });
  const page = await call('GET', `${url}/v2/fulfillments?limit=4`, { token });
  await call('GET', `${url}/v2/fulfillments?limit=4&cursor=${page.body.next_cursor}`, { token });
  const { body } = await call('POST', `${url}/v2/orders`, { token, body: sampleOrder() });
  await call('GET', `${url}/v2/orders/${body.order.id}`, { token });
  await call('POST', `${url}/v2/orders`, { token, body: {} });
  await call('GET', `${url}/v2/products`, { token: 'x' });
  har = JSON.stringify(await controlClient({ url, adminKey }).sandbox('stage').requests.har());
});
const harFile = (text = har): string => join(folder({ 'calls.har': text }), 'calls.har');

/** The command against a target. */
const compare = (target: string, args: readonly string[] = [], file = harFile()) =>
  resultHere(['compare', '--target', target, '--from', file, ...fast, ...args], password);

describe('with a running Sachet as the target', () => {
  test('equal services have no difference: exit code 0', async () => {
    const { baseUrl: url } = await served();
    expect(await compare(url, ['--allow-writes'])).toEqual({
      code: 0,
      stdout: `✓  authentication.token  1 call
✓  products.list         2 calls
✓  fulfillments.list     2 calls
✓  orders.create         2 calls
✓  orders.get            1 call

8 calls compared, 0 different
`,
      stderr: '',
    });
  });

  test('a difference is explained: exit code 1', async () => {
    const { baseUrl: url } = await served({ assumptions: { unauthorized_message: 'Invalid token' } });
    const { code, stdout } = await compare(url);
    expect(code).toBe(1);
    expect(stdout).toContain('body.message: target "Invalid token", sandbox "Token expired"');
    expect(stdout).toContain(
      'unauthorized_message: the target answers as with Invalid token, the sandbox has Token expired (1 call); ' +
        "run with --assume 'unauthorized_message=Invalid token'\n",
    );
    expect((await compare(url, ['--assume', 'unauthorized_message=Invalid token'])).code).toBe(0);
  });

  test('as JSON and JUnit, without secrets', async () => {
    const { baseUrl: url } = await served({ assumptions: { next_cursor: 'meta' } });
    const junit = join(folder(), 'compare.xml');
    const { stdout } = await compare(url, ['--json', '--junit', junit, '--allow-writes']);
    const document = JSON.parse(stdout) as CompareDocument;
    expect(document).toMatchObject({
      ...{ calls: 8, different: 2, stopped: null, left_out: {}, not_comparable: {} },
      explanations: [{ assumption: 'next_cursor', target: 'meta', sandbox: 'body', or: [], count: 2 }],
      groups: [{ operation: 'fulfillments.list', rules: [], explained_by: ['next_cursor=meta'], count: 2 }],
    });
    const [suite] = readXml(readFileSync(junit, 'utf8')).children;
    expect(suite).toMatchObject({ attributes: { name: 'sachet compare', tests: '5', failures: '1' } });
    for (const text of [stdout, readFileSync(junit, 'utf8')])
      expect(text).not.toMatch(/sachet-demo|eyJ|Signature=[0-9a-f]{64}/);
  });

  test('writes are left out and counted without --allow-writes', async () => {
    const { baseUrl: url } = await served();
    const { stdout, code } = await compare(url);
    expect(code).toBe(0);
    expect(stdout).toContain('Left out: 2 calls, because they may write, which needs --allow-writes\n');
    const token = await logIn({ url, username: 'demo', password: 'sachet-demo' });
    expect((await call('GET', `${url}/v2/orders?limit=100`, { token })).body.orders).toHaveLength(15);
  });

  test('--plan sends nothing', async () => {
    const { code, stdout } = await compare(`http://127.0.0.1:${await freePort()}`, ['--plan']);
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'POST  /v2/authentication/token']);
    expect(stdout).toContain('6 calls would be sent\nLeft out: 2 calls');
  });
});

describe('a target that is no service', () => {
  const server = async (listener: RequestListener): Promise<string> =>
    `http://127.0.0.1:${await listening(createServer(listener))}`;
  const failing = (target: string, args: readonly string[] = []) =>
    errorHere(['compare', '--target', target, '--from', harFile(), ...fast, ...args], password, 1);

  test('does not answer', async () => {
    const target = `http://127.0.0.1:${await freePort()}`;
    expect(await failing(target)).toContain(
      `POST /v2/authentication/token: no server answers at ${target} (ECONNREFUSED); check --target`,
    );
  });

  test('is slow', async () => {
    const target = await server(() => undefined);
    expect(await failing(target, ['--timeout', '0.2'])).toContain(
      'no answer to POST /v2/authentication/token within 0.2 s (--timeout)',
    );
  });

  test('answers with a page', async () => {
    const target = await server((_, response) => response.setHeader('content-type', 'text/html').end('<p>Hello'));
    expect(await failing(target)).toContain(
      'the answer to POST /v2/authentication/token is an HTML page: maybe a login page or',
    );
  });

  test('redirects', async () => {
    const target = await server((_, response) => response.writeHead(302, { location: '/login' }).end());
    expect(await failing(target)).toContain(
      'the answer to POST /v2/authentication/token redirects to /login, which is not followed:',
    );
  });

  test('has a certificate that is not trusted', async () => {
    const { cert, key } = await selfSigned(['127.0.0.1']);
    const port = await listening(createTlsServer({ cert, key }));
    expect(await failing(`https://127.0.0.1:${port}`)).toContain('is not trusted');
  });

  test('refuses the login', async () => {
    const { baseUrl: url } = await served();
    const args = ['compare', '--target', url, '--from', harFile(), ...fast];
    expect(await errorHere(args, { PASSWORD: 'wrong' }, 1)).toBe(
      'sachet: the login of "demo" was answered 401; check --target, --username and --password-env\n',
    );
  });

  test('repeats the password: no output has it', async () => {
    const { baseUrl: url } = await served();
    const target = await server(async (request, response) => {
      const body = request.method === 'POST' ? await text(request) : null;
      const headers = { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' };
      const answer = await fetch(url + request.url, { method: request.method ?? '', headers, body });
      const json = (await answer.json()) as object;
      response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify({ ...json, note: `welcome ${password.PASSWORD}` }));
    });
    for (const format of [[], ['--json'], ['--junit']]) {
      const { stdout, stderr } = await compare(target, format);
      expect(stdout).toContain('welcome [redacted]');
      expect(stdout + stderr).not.toContain(password.PASSWORD);
    }
  });

  test('fails after some calls: the calls before are reported', async () => {
    const { baseUrl: url } = await served();
    const target = await server(async (request, response) => {
      const isLogin = request.method === 'POST';
      if (!isLogin) return void response.writeHead(503).end();
      const answer = await fetch(url + request.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: await text(request),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' }).end(await answer.text());
    });
    const { code, stdout, stderr } = await compare(target);
    expect(code).toBe(1);
    expect(stdout).toContain('3 calls compared, 2 different');
    expect(stderr).toBe('sachet: 3 requests in a row were answered 503; run the command again later\n');
  });

  test('limits the rate: the call is sent again after Retry-After', async () => {
    const { baseUrl: url } = await served();
    let limited = 0;
    const target = await server(async (request, response) => {
      if (request.url === '/v2/products' && limited === 0) {
        limited += 1;
        return void response.writeHead(429, { 'retry-after': '1' }).end();
      }
      const headers = { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' };
      const body = request.method === 'POST' ? await text(request) : null;
      const answer = await fetch(url + request.url, { method: request.method ?? '', headers, body });
      const names = ['content-type', 'www-authenticate'].flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      response.writeHead(answer.status, Object.fromEntries(names)).end(await answer.text());
    });
    expect((await compare(target)).code).toBe(0);
    expect(limited).toBe(1);
  });
});

const text = async (request: AsyncIterable<Buffer>): Promise<string> => {
  let all = '';
  for await (const piece of request) all += piece;
  return all;
};

describe('arguments', () => {
  const target = ['--target', 'http://127.0.0.1:1'];
  test.each([
    ['no recording', ['--from', 'missing.har', ...fast], 'cannot read the recording "missing.har": it does not exist'],
    ['no password', ['--from', 'x.har', '--username', 'demo'], '--username needs --password-env'],
    ['no username', ['--from', 'x.har', '--password-env', 'X'], '--password-env needs --username'],
    ['no such variable', ['--from', 'x.har', '--username', 'a', '--password-env', 'NONE'], 'the variable NONE of'],
    ['a wrong rate', ['--from', 'x.har', '--rate', '0'], '"0" is not a number of requests per second'],
  ])('%s', async (_, args, message) => {
    expect(await errorHere(['compare', ...target, ...args], password)).toContain(message);
  });

  test('a recording without a login needs one', async () => {
    const { log } = JSON.parse(har) as { log: { entries: { request: { url: string } }[] } };
    const entries = log.entries.filter(({ request }) => !request.url.includes('/authentication/'));
    const file = harFile(JSON.stringify({ log: { ...log, entries } }));
    expect(await errorHere(['compare', ...target, '--from', file])).toContain(
      'the recording does not have its login; ',
    );
  });

  test('a recording without its password needs a login', async () => {
    const args = ['compare', ...target, '--from', harFile()];
    expect(await errorHere(args)).toBe(
      'sachet: the recording does not have the password of "demo"; pass a login with --username and --password-env\n',
    );
  });
});
