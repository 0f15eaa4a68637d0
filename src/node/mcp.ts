// MCP over standard input and output, for `sachet mcp`. Loaded when the command runs: help and the version do not need
// it.
import { setTimeout as pause } from 'node:timers/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { createEngine } from '../app.ts';
import { UnreachableError } from '../client/connection-errors.ts';
import { connect, type Sachet, sachetAt } from '../client/sachet.ts';
import { stage } from '../contract/addresses.ts';
import { adminPath } from '../contract/control/control-operation.ts';
import type { EngineOptions } from '../engine.ts';
import { createMcpServer, instructionsFor } from '../mcp/server.ts';
import { version } from '../version.ts';
import { listen } from './listen.ts';
import { PortTakenError } from './open-port.ts';
import { controlOf, fetchFrom, type Remote, resultOf } from './remote-sandbox.ts';
import { notify } from './start-server.ts';

/**
 * Serves MCP until standard input ends or a signal comes, then ends the process, also during a call: with 1 after a
 * message that is too large, and if standard output fails.
 * @param sandbox of the tools, unless a call names another one
 * @param isOwnKey whether the key is valid for that sandbox only
 */
export function serveMcp(sachet: Sachet, sandbox: string, isOwnKey = false): void {
  const context = { sachet, sandbox, isOwnKey, version };
  // A file or /dev/null as standard input ends, and is not closed.
  for (const event of ['end', 'close']) process.stdin.once(event, () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit());
  process.stdout.once('error', () => process.exit(1));
  const transport = new StdioServerTransport(process.stdin, process.stdout);
  const create = async () =>
    createMcpServer(context, await Promise.race([instructionsFor(context), pause(maxWaitMilliseconds, undefined)]));
  serveStdio(create, { transport, onerror: ({ message }) => notify(`mcp: ${message}`) });
  // It closes by itself only then.
  transport.onclose = () => {
    notify('sachet: MCP ended: a message on standard input is larger than 10 MiB');
    process.exit(1);
  };
  notify(`sachet: serving MCP for ${sachet.baseUrl}`);
}

const maxWaitMilliseconds = 3000;

/**
 * Serves MCP for a running server, after a check that it is a Sachet server and accepts the key.
 * @throws Error with one sentence
 */
export async function serveMcpFor(remote: Remote): Promise<void> {
  const { url, sandbox, adminKey } = remote;
  const signal = AbortSignal.timeout(maxWaitMilliseconds);
  try {
    const headers = { authorization: `Bearer ${adminKey}` };
    // Only the admin key lists the sandboxes.
    const isOwnKey = (await fetchFrom(url, `${adminPath}/sandboxes`, { headers, signal })).status === 401;
    // With the admin key, create_sandbox can create a missing sandbox later.
    const control = controlOf({ ...remote, sandbox: isOwnKey ? sandbox : stage }, signal);
    await resultOf(remote, z.looseObject({ base_url: z.string() }), control.get());
    serveMcp(connect(remote), sandbox, isOwnKey);
  } catch (error) {
    if (signal.aborted) throw new UnreachableError(`${url} did not answer within ${maxWaitMilliseconds} ms`);
    throw error;
  }
}

/**
 * Starts a server in this process.
 * @param isFixed false: a free port if the port is in use
 * @throws UsageError for a port that cannot be listened on
 */
export async function ownSachet(options: EngineOptions, port: number, isFixed: boolean): Promise<Sachet> {
  const engine = createEngine(options);
  const listenAt = (at: number) => listen(engine, { port: at, host: '127.0.0.1' });
  const { url, close } = await listenAt(port).catch((error) => {
    if (isFixed || !(error instanceof PortTakenError)) throw error;
    return listenAt(0);
  });
  return sachetAt({ url, adminKey: engine.adminKey, fetch: engine.fetch }, close);
}
