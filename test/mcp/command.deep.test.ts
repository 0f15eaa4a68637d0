// The built command: `sachet mcp` over standard input and output, and the MCP server of `sachet serve`, with the
// clients of the SDK.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/sachet.ts';
import { built, cleanEnvironment, freePort, listening, resultOf, sachet, serving } from '../support/command.ts';

const adminKey = 'fake-admin-key';

/** A client of `sachet mcp` with these arguments, and what the command writes on standard error. */
async function agentOf(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [built(), 'mcp', ...args],
    env: { ...cleanEnvironment(), ...env },
    stderr: 'pipe',
  });
  const output = { stderr: '' };
  transport.stderr?.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, output };
}

async function textOf(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = content[0]?.type === 'text' ? content[0].text : '';
  expect(isError ?? false, text).toBe(false);
  return text;
}

test('without a URL it starts a server, whose requests the tools show', async () => {
  const { client, output } = await agentOf(['--port', '0']);
  const text = await textOf(client, 'create_sandbox', { sandbox: 'w7' });
  const baseUrl = /^base_url: (\S+)$/m.exec(text)?.[1] ?? '';
  expect(client.getInstructions()).toContain(`${new URL(baseUrl).origin}/sandboxes/stage; login: demo / sachet-demo`);
  expect((await fetch(`${baseUrl}/v2/products`)).status).toBe(401);
  expect(await textOf(client, 'requests', { sandbox: 'w7' })).toMatch(/GET \/v2\/products → 401 missing_token_message/);
  await expect.poll(() => output.stderr).toContain('GET /sandboxes/w7/v2/products');
  expect(output.stderr).not.toContain('/_admin');
});

test('with a URL and a key it works on a running server, and on the sandbox of the URL', async () => {
  const { ready } = await serving(['--admin-key', adminKey]);
  const { client } = await agentOf(['--url', `${ready.url}/sandboxes/production`, '--key', adminKey]);
  await textOf(client, 'set_switch', { switch: 'maintenance', settings: { for_seconds: 60 } });
  expect((await fetch(`${ready.url}/sandboxes/production/v2/products`)).status).toBe(500);
  expect((await fetch(`${ready.url}/v2/products`)).status).toBe(401);
  const other = await agentOf([], { SACHET_BASE_URL: ready.url, SACHET_ADMIN_KEY: adminKey });
  expect(await textOf(other.client, 'requests')).toMatch(/GET \/v2\/products → 401/);
});

test('with the own key of a sandbox', async () => {
  const { ready } = await serving(['--admin-key', adminKey]);
  const { key } = await connect({ url: ready.url, adminKey }).createSandbox({ name: 'mine', own_key: true });
  const flags = ['--url', ready.url, '--key', String(key)];
  const { client } = await agentOf([...flags, '--sandbox', 'mine']);
  expect((await client.listTools()).tools).toHaveLength(9);
  const { code, stderr } = await resultOf(sachet(['mcp', ...flags]));
  expect([code, stderr]).toEqual([1, expect.stringContaining("a sandbox's own key needs its --sandbox")]);
});

test.each([
  ['never answers', () => undefined, 'did not answer within 3000 ms'],
  ['is not Sachet', (_: unknown, response: ServerResponse) => response.end('{}'), 'does not answer like a Sachet'],
] as const)('with a server that %s', async (_, answer, message) => {
  const url = `http://localhost:${await listening(createHttpServer(answer))}`;
  const { code, stderr } = await resultOf(sachet(['mcp', '--url', url, '--key', adminKey]));
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
});

test('a running server answers over HTTP', async () => {
  const { ready } = await serving(['--admin-key', adminKey]);
  const requestInit = { headers: { authorization: `Bearer ${adminKey}` } };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${ready.url}/_mcp`), { requestInit }));
  expect(await textOf(client, 'create_sandbox', { sandbox: 'w7' })).toContain(`base_url: ${ready.url}/sandboxes/w7`);
  expect((await client.listTools()).tools).toHaveLength(10);
  await client.close();
});

test('it ends with its standard input', async () => {
  const port = await freePort();
  const { code, stdout, stderr } = await resultOf(sachet(['mcp', '--port', String(port)]));
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain(`sachet: serving MCP for http://localhost:${port}`);
});

test.each([
  ['an empty standard input', 'ignore', undefined],
  ['SIGINT', 'pipe', 'SIGINT'],
  ['SIGTERM', 'pipe', 'SIGTERM'],
] as const)('it ends with %s', async (_, stdin, signal) => {
  const child = spawn(process.execPath, [built(), 'mcp', '--port', '0'], {
    env: cleanEnvironment(),
    stdio: [stdin, 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  const ended = once(child, 'exit');
  await once(child.stderr as Readable, 'data');
  if (signal) child.kill(signal);
  expect(await ended).toEqual([0, null]);
});

test.each([
  [
    'a message that is too large',
    ({ stdin }: ChildProcessByStdio<Writable, Readable, Readable>) => {
      stdin.on('error', () => undefined).write('x'.repeat(11 * 1024 * 1024));
    },
    'sachet: MCP ended: a message on standard input is larger than 10 MiB',
  ],
  [
    'closed standard output',
    ({ stdin, stdout }: ChildProcessByStdio<Writable, Readable, Readable>) => {
      stdout.destroy();
      stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    },
    'serving MCP',
  ],
])('it ends with %s', async (_, act, message) => {
  const child = spawn(process.execPath, [built(), 'mcp', '--port', '0'], {
    env: cleanEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close');
  await once(child.stderr, 'data');
  act(child);
  expect(await ended).toEqual([1, null]);
  expect(stderr).toContain(message);
});

test('errors of the command line', async () => {
  const taken = await listening(createServer());
  expect(await resultOf(sachet(['mcp', '--port', String(taken)]))).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`port ${taken} on 127.0.0.1 is in use`),
  });
  const url = ['mcp', '--url', 'http://localhost:1'];
  expect(await resultOf(sachet(url))).toMatchObject({ code: 2, stderr: expect.stringContaining('no key; pass') });
  expect(await resultOf(sachet([...url, '--port', '1']))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--url is for a running server, but --port sets up a server of its own'),
  });
});
