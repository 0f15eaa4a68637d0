// `sachet healthcheck`: exit code 0 where the server on this machine is ready, else 1, by the same port and host as the server.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serverFlags } from '../../src/node/cli/healthcheck.ts';
import { version } from '../../src/version.ts';
import { hasV6 } from '../support/addresses.ts';
import { type Command, call, sachet, serving } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { inMachineTime } from '../support/machine-time.ts';

type Environment = Readonly<Record<string, string>>;
type Told = { readonly code: number | string; readonly stdout: string; readonly stderr: string };

const healthcheck = (args: readonly string[], env: Environment = {}): Promise<Told> =>
  toldBy(sachetHere(['healthcheck', ...args], env));

async function toldBy(command: Command): Promise<Told> {
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

describe('a server that is ready', inMachineTime, () => {
  const asked: readonly (readonly [string, string])[] = [
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['localhost', 'localhost'],
    ...(hasV6
      ? ([
          ['::', '[::1]'],
          ['::1', '[::1]'],
        ] as const)
      : []),
  ];

  test.each(asked)(
    'on %s is asked at %s, by the flags or the environment that it was started with',
    async (host, at) => {
      const { port } = new URL((await serving(['--host', host])).ready.url);
      const told = `http://${at}:${port}/health answered 200: {"status":"ok","version":"${version}"}\n`;
      const healthy = { code: 0, stdout: told, stderr: '' };
      expect(await toldBy(sachet(['healthcheck', '--port', port, '--host', host]))).toEqual(healthy);
      expect(await healthcheck([], { SACHET_PORT: port, SACHET_HOST: host })).toEqual(healthy);
      expect(await healthcheck(['--port', port], { SACHET_PORT: '1', SACHET_HOST: host })).toEqual(healthy);
    },
  );

  test('is told nothing by it: it leaves no line in the log', async () => {
    const server = await serving(['--log', 'text']);
    const { port } = new URL(server.ready.url);
    expect((await healthcheck(['--port', port])).code).toBe(0);
    await call('GET', `${server.ready.url}/elsewhere`);
    await server.until('line of the call', ({ stderr }) => /elsewhere[^\n]*\n/.test(stderr));
    expect(server.stderr).toMatch(/^[\d:.]+ GET \/elsewhere 404 [^\n]*\n$/);
  });
});

describe('a server that is not', inMachineTime, () => {
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

  test('is about to end', async () => {
    const port = await answering(503, '{"status":"draining"}');
    const stderr = `sachet: http://127.0.0.1:${port}/health answered 503: {"status":"draining"}\n`;
    expect(await healthcheck(['--port', port])).toEqual({ code: 1, stdout: '', stderr });
  });

  test.each(['<h1>It works</h1>', '{"status":"ok"}', '{"status":"ok","version":', 'null', 'x'.repeat(100_000)])(
    'is another, as this %j of another says',
    async (body) => {
      const { code, stderr } = await healthcheck(['--port', await answering(200, body)]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^sachet: .{1,300}; this is not a Sachet server\n$/)]);
    },
  );

  test.each([
    ['breaks off in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"status":"ok"'],
    ['goes over to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
    ['speaks no HTTP', 'SSH-2.0-x\r\n'],
  ])('%s', async (_, bytes) => {
    const server = createRawServer((socket) => socket.end(bytes));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const told = await healthcheck(['--port', String(port)]);
    expect(told).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^sachet: no server is ready at [^\n]+\n$/),
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
    expect([code, stderr]).toEqual([1, expect.stringContaining('no complete response within 2000 ms')]);
  });
});

describe('a server that is process 1', () => {
  const words = (...args: string[]) => ['node', '/sachet/dist/cli.js', ...args, ''].join('\0');
  test.each([
    ['its flags', words('--port', '8080', '--host', '::'), { port: 8080, host: '::' }],
    [
      'its flags among others',
      words('serve', '--clock', '2026-01-01T00:00:00Z', '--port=8080', '--json'),
      { port: 8080 },
    ],
    ['no flags', words(), {}],
    ['another program', ['node', '/other/cli.js', '--port', '8080', ''].join('\0'), {}],
    ['nothing to be read', '', {}],
  ])('has its port and host by %s', (_, commandLine, flags) => {
    expect(serverFlags(commandLine, '/sachet/dist/cli.js')).toEqual(flags);
  });
});

test.each([
  [['--port', '0'], 'port 0 means any free port'],
  [['--port', 'http'], '--port'],
  [['--prot', '1'], '--prot'],
  [['more'], 'too many arguments'],
])('%s is a usage error', async (args, words) => {
  expect(await healthcheck(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
});
