// `sachet healthcheck`: exit code 0 if the server on this machine is ready, else 1. It uses the port and the host of the server.
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serverFlags } from '../../src/node/cli/healthcheck.ts';
import { version } from '../../src/version.ts';
import { call, freePort, hasV6, inMachineTime, listening, resultOf, serving } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';

const healthcheck = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
  resultOf(sachetHere(['healthcheck', ...args], env));

// Real time: the server has to respond within two seconds.
test.each([['0.0.0.0', '127.0.0.1'], ...(hasV6 ? [['::', '[::1]']] : [])])(
  'a server on %s is ready at %s, and does not log the check',
  inMachineTime,
  async (host = '', at = '') => {
    const server = await serving(['--host', host]);
    const { port } = new URL(server.ready.url);
    const stdout = `http://${at}:${port}/health answered 200: {"status":"ok","version":"${version}"}\n`;
    const healthy = { code: 0, stdout, stderr: '' };
    expect(await healthcheck(['--port', port, '--host', host])).toEqual(healthy);
    expect(await healthcheck([], { SACHET_PORT: port, SACHET_HOST: host })).toEqual(healthy);
    expect(await healthcheck(['--port', port], { SACHET_PORT: '1', SACHET_HOST: host })).toEqual(healthy);
    await call('GET', `${server.ready.url}/elsewhere`);
    await server.until('line of the call', ({ stderr }) => /elsewhere[^\n]*\n/.test(stderr));
    expect(server.stderr).toMatch(/^[\d:.]+ GET \/elsewhere 404 [^\n]*\n$/);
  },
);

const http = (status: number, body: string) => (socket: Socket) =>
  socket.end(`HTTP/1.1 ${status} x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
const raw = (text: string) => (socket: Socket) => socket.end(text);
const degraded = JSON.stringify({ status: 'degraded', version, why: 'writes are refused: the disk is full' });
const foreign = /^sachet: .{1,300}; this is not a Sachet server\n$/;
const notReady = /^sachet: no server is ready at [^\n]+\n$/;

test.each<readonly [string, number, (socket: Socket) => unknown, RegExp]>([
  ['a degraded server', 0, http(200, degraded), /^http:\S+\/health answered 200: .*disk is full"\}\n$/],
  ['a server that ends', 1, http(503, '{"status":"draining"}'), /\/health answered 503: \{"status":"draining"\}\n$/],
  ['JSON without a version', 1, http(200, '{"status":"ok"}'), foreign],
  ['a long body', 1, http(200, 'x'.repeat(100_000)), foreign],
  ['a body that breaks', 1, raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"status":"ok"'), notReady],
  ['a switch of protocols', 1, raw('HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'), notReady],
  ['silence', 1, () => undefined, /no complete response within 2000 ms/],
])('%s is exit code %i', async (_, code, respond, message) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => respond(socket));
    onTestFinished(() => void socket.destroy());
  });
  const { stdout, stderr, ...result } = await healthcheck(['--port', String(await listening(server))]);
  const [output, other] = code === 0 ? [stdout, stderr] : [stderr, stdout];
  expect([result.code, output, other]).toEqual([code, expect.stringMatching(message), '']);
});

test('a missing server is exit code 1, and a wrong flag is 2', async () => {
  const port = await freePort();
  const stderr = `sachet: no server is ready at http://127.0.0.1:${port}/health: ECONNREFUSED\n`;
  expect(await healthcheck(['--port', String(port)])).toEqual({ code: 1, stdout: '', stderr });
  for (const [args, message] of [
    [['--port', '0'], 'port 0 means any free port'],
    [['more'], 'too many arguments'],
  ] as const)
    expect(await healthcheck(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});

test.each([
  ['node cli --port 8080 --host ::', { port: 8080, host: '::' }],
  ['node cli serve --clock 2026-01-01T00:00:00Z --port=8080 --json', { port: 8080 }],
  ['node cli', {}],
  ['', {}],
])('the flags of process 1, %j, are %j', (words, flags) => {
  const commandLine = words && `${words.replace(' cli', ' /sachet/dist/cli.js').replaceAll(' ', '\0')}\0`;
  expect(serverFlags(commandLine, '/sachet/dist/cli.js')).toEqual(flags);
});
