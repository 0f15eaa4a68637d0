// `sachet openapi`: the documents as text, made here by flags, or asked of a running server.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Command, call, folder, sachet, serving } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { fixtureFiles } from '../support/fixture-files.ts';
import { exampleIn, operationIn, operationsIn } from '../support/openapi-document.ts';
import { baseUrlIn } from '../support/openapi-served.ts';
import type { Json } from '../support/published-documents.ts';

type Environment = Readonly<Record<string, string>>;

/** What the command prints: a document and nothing else, and it ends by itself. */
const printed = (args: readonly string[] = [], env: Environment = {}): Promise<Json> =>
  documentOf(sachetHere(['openapi', ...args], env));

async function documentOf(command: Command): Promise<Json> {
  const code = await command.ended();
  expect({ code, stderr: command.stderr }).toEqual({ code: 0, stderr: '' });
  expect(command.stdout).toMatch(/^\{\n {2}"openapi": "3\.[01]\.\d",\n[\s\S]*\n\}\n$/);
  return JSON.parse(command.stdout);
}

/** The one sentence that the command says instead. */
async function refused(args: readonly string[], env: Environment = {}) {
  const command = sachetHere(['openapi', ...args], env);
  const code = await command.ended();
  expect(command.stdout).toBe('');
  expect(command.stderr).toMatch(/^sachet: [^\n]+\n$/);
  return { code, stderr: command.stderr };
}

const idsIn = (document: Json): string[] => operationsIn(document).map(({ shown }) => shown['x-operation']);
const readingIn = (document: Json, id: string): string => document['x-assumptions'][id].reading;
const title = ({ info }: Json): string => info.title;

/** The shipped fixtures with another first user. */
const fixturesOf = (username: string): string => {
  const files = fixtureFiles({ file: 'accounts.json', path: ['users', 0, 'username'], to: username });
  return folder(Object.fromEntries(files.map(({ name, content }) => [name, JSON.stringify(content)])));
};

describe('a document that is made here', () => {
  test('is the service’s by default, at the usual address', async () => {
    const document = await documentOf(sachet(['openapi']));
    expect([title(document), baseUrlIn(document)]).toEqual(['Order and Fulfillment Service', 'http://localhost:4010']);
    expect(idsIn(document)).toContain('orders.list');
    expect(readingIn(document, 'next_cursor')).toBe('body');
    const { requestBody } = operationIn(document, 'authentication.token').shown;
    expect(exampleIn(requestBody, 'sample')).toEqual({ username: 'demo', password: 'sachet-demo' });
  });

  test('with --control is the control API’s', async () => {
    const document = await documentOf(sachet(['openapi', '--control', '--public-url', 'https://sandbox.example']));
    expect([title(document), baseUrlIn(document)]).toEqual(['Sachet control API', 'https://sandbox.example']);
    expect(idsIn(document)).toContain('sandboxes.create');
  });

  test('has the form of OpenAPI 3.0 with --version 3.0', async () => {
    const service = await printed(['--version', '3.0', '--assume', 'next_cursor=meta']);
    expect([service.openapi, readingIn(service, 'next_cursor')]).toEqual(['3.0.3', 'meta']);
    expect((await printed(['--control', '--version', '3.0'])).openapi).toBe('3.0.3');
    expect((await printed(['--version', '3.1'])).openapi).toBe('3.1.0');
  });

  test('follows --assume, several times and by commas, and --profile', async () => {
    const assumed = ['--assume', 'next_cursor=meta,list_order=oldest_first', '--assume', 'consumer_endpoints=assumed'];
    const document = await printed([...assumed, '--profile', 'strict']);
    expect(['next_cursor', 'list_order', 'order_endpoints'].map((id) => readingIn(document, id))).toEqual([
      'meta',
      'oldest_first',
      'absent',
    ]);
    expect(idsIn(document)).toContain('consumers.create');
    expect(idsIn(document)).not.toContain('orders.list');
  });

  test('names --public-url as its base, and has its examples of --fixtures, without their passwords', async () => {
    const document = await printed([
      '--public-url',
      'https://sandbox.example/orders/',
      '--fixtures',
      fixturesOf('eve'),
    ]);
    expect(baseUrlIn(document)).toBe('https://sandbox.example/orders');
    expect(JSON.stringify(document)).not.toContain('localhost');
    const { requestBody } = operationIn(document, 'authentication.token').shown;
    expect(exampleIn(requestBody, 'sample')).toEqual({ username: 'eve', password: 'your-password' });
  });

  test('follows the variables of its flags, which the flags beat', async () => {
    const env = {
      SACHET_ASSUME: 'next_cursor=meta,list_order=oldest_first',
      SACHET_PROFILE: 'strict',
      SACHET_PUBLIC_URL: 'https://env.example',
      SACHET_FIXTURES: fixturesOf('eve'),
    };
    const seen = (document: Json) => [
      baseUrlIn(document),
      readingIn(document, 'next_cursor'),
      readingIn(document, 'order_endpoints'),
      exampleIn(operationIn(document, 'authentication.token').shown.requestBody, 'sample').username,
    ];
    expect(seen(await printed([], env))).toEqual(['https://env.example', 'meta', 'absent', 'eve']);
    const flags = ['--assume', 'next_cursor=header', '--profile', 'default', '--public-url', 'https://flag.example'];
    expect(seen(await printed([...flags, '--fixtures', fixturesOf('flo')], env))).toEqual([
      'https://flag.example',
      'header',
      'assumed',
      'flo',
    ]);
  });
});

test('a document that is asked of a running server is its own, of each sandbox as it is now', async () => {
  const { url } = (await serving(['--assume', 'next_cursor=meta', '--admin-key', 'my-own-key', '--log', 'off'])).ready;
  const control = (method: string, path: string, body?: unknown) =>
    call(method, `${url}/_admin/sandboxes${path}`, { token: 'my-own-key', body });
  await control('POST', '', { name: 'w7', assumptions: { order_endpoints: 'absent' } });

  const stage = await printed(['--url', url]);
  expect([baseUrlIn(stage), readingIn(stage, 'next_cursor'), idsIn(stage).includes('orders.list')]).toEqual([
    url,
    'meta',
    true,
  ]);
  expect(stage).toEqual((await call('GET', `${url}/_docs/openapi.json`)).body);
  expect(await printed(['--url', url, '--version', '3.0'])).toMatchObject({ openapi: '3.0.3', servers: [{ url }] });
  const ofServer = await printed(['--control', '--url', url]);
  expect([title(ofServer), baseUrlIn(ofServer)]).toEqual(['Sachet control API', url]);

  const w7 = await printed(['--url', `${url}/`, '--sandbox', 'w7']);
  expect([baseUrlIn(w7), idsIn(w7).includes('orders.list')]).toEqual([`${url}/sandboxes/w7`, false]);
  await control('PATCH', '/w7/assumptions', { order_endpoints: 'assumed' });
  const turned = await printed([], { SACHET_URL: url, SACHET_SANDBOX: 'w7' });
  expect([baseUrlIn(turned), idsIn(turned).includes('orders.list')]).toEqual([`${url}/sandboxes/w7`, true]);
  expect((await control('GET', '/w7/requests')).body.requests).toEqual([]);

  const env = {
    SACHET_ASSUME: 'next_cursor=header',
    SACHET_PROFILE: 'strict',
    SACHET_PUBLIC_URL: 'https://env.example',
  };
  expect(await printed(['--url', url], env)).toEqual(stage);
  const { code, stderr } = await refused(['--url', url, '--sandbox', 'w9']);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`no sandbox "w9" at ${url}`)]);
});

test('a flag that says how one is made beats the server of the environment', async () => {
  const document = await printed(['--assume', 'next_cursor=meta'], { SACHET_URL: 'http://localhost:1' });
  expect(readingIn(document, 'next_cursor')).toBe('meta');
});

describe('it says in one sentence', () => {
  const here = ['--url', 'http://localhost:4010'];
  test.each<[string, readonly string[], Environment, RegExp]>([
    [
      'that --url and --assume exclude each other',
      [...here, '--assume', 'next_cursor=meta'],
      {},
      /--assume .*use only one of them/,
    ],
    [
      'that --url and --public-url exclude each other',
      [...here, '--public-url', 'https://a.example'],
      {},
      /--public-url .*use only one of them/,
    ],
    ['that --sandbox needs a server', ['--sandbox', 'w7'], {}, /--sandbox .*pass its URL with --url/],
    [
      'that --sandbox needs the server that --assume rules out',
      ['--sandbox', 'w7', '--assume', 'next_cursor=meta'],
      { SACHET_URL: 'http://localhost:1' },
      /--sandbox/,
    ],
    [
      'that the control API follows no reading',
      ['--control', '--profile', 'strict'],
      {},
      /omit --profile or --control/,
    ],
    [
      'that the control API is of no sandbox',
      ['--control', ...here, '--sandbox', 'w7'],
      {},
      /omit --sandbox or --control/,
    ],
    [
      'that a reading is none',
      ['--assume', 'next_cursor=nowhere'],
      {},
      /Unknown choice "nowhere" of the assumption next_cursor/,
    ],
    [
      'that a reading of the environment is none',
      [],
      { SACHET_ASSUME: 'next_cursor' },
      /SACHET_ASSUME.*"next_cursor" is not of the form/,
    ],
    [
      'that OpenAPI has no such version here',
      ['--version', '2.0'],
      {},
      /'--version <number>' argument '2\.0' is invalid\. Allowed choices are 3\.1, 3\.0/,
    ],
    ['that fixtures are not there', ['--fixtures', '/nowhere'], {}, /\/nowhere/],
  ])('%s', async (_, args, env, words) => {
    const { code, stderr } = await refused(args, env);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });

  /** A server that is no Sachet; null: none, at an address that just had one. */
  async function strange(answer: RequestListener | null): Promise<string> {
    const server = createServer(answer ?? undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
    if (answer) onTestFinished(close);
    else await close();
    return `http://127.0.0.1:${port}`;
  }

  test('that no server is there', async () => {
    const url = await strange(null);
    const { code, stderr } = await refused(['--url', url]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`no server answers at ${url} (ECONNREFUSED)`)]);
  });

  test.each<[string, RequestListener]>([
    ['a page', (_, response) => void response.end('<html>')],
    ['404', (_, response) => void response.writeHead(404).end('{"openapi": "3.1.0"}')],
    ['a redirect', (_, response) => void response.writeHead(302, { location: 'http://localhost:1/' }).end()],
    [
      'half an answer',
      (_, response) => void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
    ],
  ])('that something else answers: %s', async (_, answer) => {
    const url = await strange(answer);
    const { code, stderr } = await refused(['--url', url]);
    expect(code).toBe(1);
    expect(stderr).toContain(url);
    expect(stderr).toMatch(/does not answer like a Sachet|no server answers/);
  });
});
