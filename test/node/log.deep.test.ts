// The log: one line per call on standard error, and no secret in it.
import { describe, expect, test } from 'vitest';
import { call, logIn, serving } from '../support/command.ts';

/** Calls of all kinds, each with something that must not be logged; the lines they should leave. */
async function calls(ready: Awaited<ReturnType<typeof serving>>['ready']) {
  const { url } = ready;
  const token = await logIn(ready);
  const list = await call('GET', `${url}/v2/fulfillments?limit=1&cursor=`, { token });
  const page = await call('GET', `${url}/v2/fulfillments?limit=1`, { token });
  const [{ label_url }] = page.body.fulfillments;
  await call('GET', label_url);
  await call('GET', `${url}/v2/products`, { token: 'bad-token-1' });
  await call('POST', `${url}/v2/authentication/token`, { body: { username: 'demo', password: 'wrong-password-1' } });
  await call('GET', `${url}/v2/nothing?secret=1`);
  const { pathname } = new URL(label_url);
  return {
    secrets: [
      token,
      ready.password,
      'bad-token-1',
      'wrong-password-1',
      'limit=',
      'secret=',
      'X-Amz',
      page.body.next_cursor,
    ],
    lines: [
      ['POST', '/v2/authentication/token', 200],
      ['GET', '/v2/fulfillments', list.status],
      ['GET', '/v2/fulfillments', 200],
      ['GET', pathname, 200],
      ['GET', '/v2/products', 401],
      ['POST', '/v2/authentication/token', 401],
      ['GET', '/v2/nothing', 404],
    ],
  };
}

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

describe.each(['text', 'json'])('--log %s', (format) => {
  test('tells each call on a line, and no token, password or query', async () => {
    const server = await serving(['--log', format]);
    const { secrets, lines } = await calls(server.ready);
    await server.until('line of the last call', ({ stderr }) => stderr.includes('/v2/nothing'));
    const told = linesOf(server.stderr).map((line) => (format === 'json' ? fromJson(line) : fromText(line)));
    expect(told).toEqual(lines);
    for (const secret of secrets) expect(server.stderr).not.toContain(secret);
    expect(linesOf(server.stdout)).toHaveLength(1);
  });
});

const fromText = (line: string): unknown[] => {
  const [, method, path, status] =
    /^\d\d:\d\d:\d\d\.\d{3} (\w+) (\S+) (\d{3}) \d+(?:\.\d+)? ms(?: stage)?$/.exec(line) ?? [];
  return method ? [method, path, Number(status)] : [line];
};

function fromJson(line: string): unknown[] {
  const { method, path, status, time, milliseconds, sandbox } = JSON.parse(line);
  expect(new Date(time).toISOString()).toBe(time);
  expect(milliseconds).toBeGreaterThan(0);
  expect(['stage', undefined]).toContain(sandbox);
  return [method, path, status];
}

test('text is the default', async () => {
  const server = await serving();
  await call('GET', `${server.ready.url}/v2/products`);
  await server.until('line of the call', ({ stderr }) => stderr.endsWith('\n'));
  expect(server.stderr).toMatch(/^\S+ GET \/v2\/products 401 /);
});

test('--log off tells nothing', async () => {
  const server = await serving(['--log', 'off']);
  await calls(server.ready);
  process.kill(server.ready.pid, 'SIGTERM');
  expect(await server.ended()).toBe(0);
  expect(server.stderr).toBe('');
});

test('a call that misses the API leaves a line too', async () => {
  const server = await serving();
  await call('GET', `${server.ready.url}/products?secret=2`);
  await call('GET', `${server.ready.url}/v2/products`);
  await server.until('line of the last call', ({ stderr }) => stderr.includes('/v2/products'));
  expect(linesOf(server.stderr).map(fromText)).toEqual([
    ['GET', '/products', 404],
    ['GET', '/v2/products', 401],
  ]);
});

test('a path cannot forge a line', async () => {
  const server = await serving();
  await call('GET', `${server.ready.url}/v2/x%0A12:00:00.000%20GET%20/forged%20200%1B[31m`);
  await server.until('line of the call', ({ stderr }) => stderr.endsWith('\n'));
  expect(linesOf(server.stderr)).toHaveLength(1);
  expect(server.stderr).toMatch(/^[\n\x20-\x7e]*$/);
});
