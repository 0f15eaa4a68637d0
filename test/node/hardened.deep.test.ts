// What must not end the server, nor change what it is.
import { expect, test } from 'vitest';
import { call, readyOf, sachet, serving } from '../support/command.ts';

test('a log that nobody reads any more does not end the server', async () => {
  const server = sachet(['--port', '0', '--json']);
  const { url } = await readyOf(server);
  server.child.stderr?.destroy();
  for (let n = 0; n < 3; n += 1) expect((await call('GET', `${url}/v2/products`)).status).toBe(401);
});

test.each(['SACHET_HOST', 'SACHET_RANDOM_SEED', 'SACHET_PROFILE'])('an empty %s is none', async (variable) => {
  const { url } = (await serving(['--port', '0'], { [variable]: '' })).ready;
  expect(url).toMatch(/^http:\/\/localhost:\d+$/);
});

test.each([
  ['false', true],
  ['0', true],
  ['true', false],
  ['1', false],
])('SACHET_NO_LOGIN_SANDBOXES=%s', async (value, makes) => {
  const { url, username, password } = (await serving(['--port', '0'], { SACHET_NO_LOGIN_SANDBOXES: value })).ready;
  const body = { username: `${username}+w1`, password };
  expect((await call('POST', `${url}/v2/authentication/token`, { body })).status).toBe(makes ? 200 : 401);
});

test.each([
  [['--host', ''], {}],
  [['--random-seed', ''], {}],
  [['--public-url', 'http://x?q=1'], {}],
  [[], { SACHET_NO_LOGIN_SANDBOXES: 'maybe' }],
])('%j with %j is a usage error', async (args, env) => {
  const server = sachet(['--port', '0', ...args], env);
  expect([await server.ended(), server.stdout]).toEqual([2, '']);
  expect(server.stderr).toMatch(/^sachet: [^\n]+\n$/);
});
