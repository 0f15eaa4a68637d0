import { expect, test } from 'vitest';
import { type Command, call, resultOf, sachet, serving } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { fixturesWithUser } from '../support/fixture-files.ts';
import { baseUrlIn, exampleIn, type Json, operationIn, operationsIn } from '../support/openapi-document.ts';

type Environment = Readonly<Record<string, string>>;

/** The document, which is all that the command prints. */
async function documentOf(command: Command): Promise<Json> {
  const { code, stdout, stderr } = await resultOf(command);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^\{\n {2}"openapi": "3\.[01]\.\d",\n[\s\S]*\n\}\n$/);
  return JSON.parse(stdout);
}
const printed = (args: readonly string[] = [], env: Environment = {}) =>
  documentOf(sachetHere(['openapi', ...args], env));

async function error(args: readonly string[], env: Environment = {}): Promise<string> {
  const { code, stdout, stderr } = await resultOf(sachetHere(['openapi', ...args], env));
  expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^sachet: [^\n]+\n$/)]);
  return `${code} ${stderr}`;
}

const idsIn = (document: Json): string[] => operationsIn(document).map(({ shown }) => shown['x-operation']);
const choiceIn = (document: Json, id: string): string => document['x-assumptions'][id].reading;
const loginIn = (document: Json) =>
  exampleIn(operationIn(document, 'authentication.token').shown.requestBody, 'sample') as Record<string, string>;

test('the document of the service, or with --control of the control API, as OpenAPI 3.1 or 3.0', async () => {
  const service = await documentOf(sachet(['openapi']));
  expect([service.info.title, baseUrlIn(service)]).toEqual(['Order and Fulfillment Service', 'http://localhost:4010']);
  expect(idsIn(service)).toContain('orders.list');
  expect([service.openapi, choiceIn(service, 'next_cursor')]).toEqual(['3.1.0', 'body']);
  expect(loginIn(service)).toEqual({ username: 'demo', password: 'sachet-demo' });
  const control = await printed(['--control', '--public-url', 'https://sandbox.example', '--version', '3.0']);
  expect([control.info.title, baseUrlIn(control)]).toEqual(['Sachet control API', 'https://sandbox.example']);
  expect([control.openapi, idsIn(control).includes('sandboxes.create')]).toEqual(['3.0.3', true]);
});

test('settings by flags or variables; flags override variables, also SACHET_URL', async () => {
  const env = {
    ...{ SACHET_ASSUME: 'next_cursor=meta,list_order=oldest_first', SACHET_PROFILE: 'strict' },
    ...{ SACHET_PUBLIC_URL: 'https://env.example/orders/', SACHET_FIXTURES: fixturesWithUser('eve') },
  };
  const ofVariables = await printed([], env);
  expect(baseUrlIn(ofVariables)).toBe('https://env.example/orders');
  expect(JSON.stringify(ofVariables)).not.toContain('localhost');
  expect(['next_cursor', 'list_order', 'order_endpoints'].map((id) => choiceIn(ofVariables, id))).toEqual([
    ...['meta', 'oldest_first', 'absent'],
  ]);
  expect(idsIn(ofVariables)).not.toContain('orders.list');
  expect(loginIn(ofVariables)).toEqual({ username: 'eve', password: 'your-password' });

  const flags = ['--assume', 'next_cursor=header', '--assume', 'consumer_endpoints=assumed', '--profile', 'default'];
  const more = ['--public-url', 'https://flag.example', '--fixtures', fixturesWithUser('flo')];
  const ofFlags = await printed([...flags, ...more], { ...env, SACHET_URL: 'http://localhost:1' });
  expect([baseUrlIn(ofFlags), choiceIn(ofFlags, 'next_cursor'), loginIn(ofFlags).username]).toEqual([
    ...['https://flag.example', 'header', 'flo'],
  ]);
  expect(idsIn(ofFlags)).toEqual(expect.arrayContaining(['orders.list', 'consumers.create']));
});

test('the document of a running server, for each sandbox as it is now', async () => {
  const { url } = (await serving(['--assume', 'next_cursor=meta', '--admin-key', 'my-own-key', '--log', 'off'])).ready;
  const control = (method: string, path: string, body?: unknown) =>
    call(method, `${url}/_admin/sandboxes${path}`, { token: 'my-own-key', body });
  await control('POST', '', { name: 'w7', assumptions: { order_endpoints: 'absent' } });
  const seen = (document: Json) => [baseUrlIn(document), idsIn(document).includes('orders.list')];

  const env = { SACHET_ASSUME: 'next_cursor=header', SACHET_PROFILE: 'strict', SACHET_PUBLIC_URL: 'https://a.example' };
  const stage = await printed(['--url', url], env);
  expect([...seen(stage), choiceIn(stage, 'next_cursor')]).toEqual([url, true, 'meta']);
  expect(stage).toEqual((await call('GET', `${url}/_docs/openapi.json`)).body);
  expect(await printed(['--url', url, '--version', '3.0'])).toMatchObject({ openapi: '3.0.3', servers: [{ url }] });
  const ofServer = await printed(['--control', '--url', url]);
  expect([ofServer.info.title, baseUrlIn(ofServer)]).toEqual(['Sachet control API', url]);

  expect(seen(await printed(['--url', `${url}/`, '--sandbox', 'w7']))).toEqual([`${url}/sandboxes/w7`, false]);
  await control('PATCH', '/w7/assumptions', { order_endpoints: 'assumed' });
  const changed = await printed([], { SACHET_URL: url, SACHET_SANDBOX: 'w7' });
  expect(seen(changed)).toEqual([`${url}/sandboxes/w7`, true]);
  expect((await control('GET', '/w7/requests')).body.requests).toEqual([]);
  expect(await error(['--url', url, '--sandbox', 'w9'])).toMatch(/^1 .*no sandbox "w9" at /);
});

const here = ['--url', 'http://localhost:4010'];

test.each<[readonly string[], Environment, RegExp]>([
  [[...here, '--assume', 'next_cursor=meta'], {}, /^2 .*--assume .*use only one of them/],
  [['--sandbox', 'w7', '--assume', 'next_cursor=meta'], { SACHET_URL: 'http://localhost:1' }, /^2 .*--sandbox/],
  [['--control', ...here, '--sandbox', 'w7'], {}, /^2 .*omit --sandbox or --control/],
  [['--assume', 'next_cursor=nowhere'], {}, /^2 .*Unknown choice "nowhere" of the assumption next_cursor/],
  [['--version', '2.0'], {}, /^2 .*'--version <number>' argument '2\.0' is invalid\. Allowed choices are 3\.1, 3\.0/],
])('%j with %j is a usage error', async (args, env, message) => {
  expect(await error(args, env)).toMatch(message);
});
