// `sachet healthcheck`: exit code 0 where the server on this machine is ready, else 1, by the same port and host as the server.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call, sachet, serving } from '../support/command.ts';

type Told = { readonly code: number | string; readonly stdout: string; readonly stderr: string };

async function healthcheck(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Told> {
  const command = sachet(['healthcheck', ...args], env);
  const code = await command.ended();
  return { code, stdout: command.stdout, stderr: command.stderr };
}

/** The port of a server that answers everything so. */
async function answering(status: number, body: string): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(status).end(body));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return String((server.address() as AddressInfo).port);
}

describe('a server that is ready', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
    ['::1', '[::1]'],
    ['localhost', 'localhost'],
  ])('on %s is asked at %s, by the flags or the environment that it was started with', async (host, asked) => {
    const { port } = new URL((await serving(['--host', host])).ready.url);
    const told = `http://${asked}:${port}/health answered 200: {"status":"ok","version":"0.1.0"}\n`;
    const healthy = { code: 0, stdout: told, stderr: '' };
    expect(await healthcheck(['--port', port, '--host', host])).toEqual(healthy);
    expect(await healthcheck([], { SACHET_PORT: port, SACHET_HOST: host })).toEqual(healthy);
    expect(await healthcheck(['--port', port], { SACHET_PORT: '1', SACHET_HOST: host })).toEqual(healthy);
  });

  test('is told nothing by it: it leaves no line in the log', async () => {
    const server = await serving(['--log', 'text']);
    const { port } = new URL(server.ready.url);
    expect((await healthcheck(['--port', port])).code).toBe(0);
    await call('GET', `${server.ready.url}/elsewhere`);
    await server.until('line of the call', ({ stderr }) => /elsewhere[^\n]*\n/.test(stderr));
    expect(server.stderr).toMatch(/^[\d:.]+ GET \/elsewhere 404 [^\n]*\n$/);
  });
});

describe('a server that is not', () => {
  test('is not there', async () => {
    const { ready, child, ended } = await serving();
    child.kill('SIGTERM');
    await ended();
    const { port } = new URL(ready.url);
    expect(await healthcheck(['--port', port])).toEqual({
      code: 1,
      stdout: '',
      stderr: `sachet: no server is ready at http://127.0.0.1:${port}/health: ECONNREFUSED\n`,
    });
  });

  test('is about to end, or is another', async () => {
    const port = await answering(503, '{"status":"draining"}');
    const stderr = `sachet: http://127.0.0.1:${port}/health answered 503: {"status":"draining"}\n`;
    expect(await healthcheck(['--port', port])).toEqual({ code: 1, stdout: '', stderr });
    const other = await answering(200, '<h1>It works</h1>');
    expect(await healthcheck(['--port', other])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no Sachet'),
    });
  });

  test('does not answer', async () => {
    const server = createServer(() => undefined);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await healthcheck(['--port', String(port)]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('nothing whole came within 2000 ms')]);
  });
});

test.each([
  [['--port', '0'], 'port 0 is any free port'],
  [['--port', 'http'], '--port'],
  [['--prot', '1'], '--prot'],
  [['more'], 'too many arguments'],
])('%s is a usage error', async (args, words) => {
  expect(await healthcheck(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
});
