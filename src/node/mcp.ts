// MCP over standard input and output, for `sachet mcp`. Loaded when the command runs: help and the version do not need
// it.
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createEngine } from '../app.ts';
import { type Sachet, sachetAt } from '../client/sachet.ts';
import type { EngineOptions } from '../engine.ts';
import { createMcpServer, instructionsFor } from '../mcp/server.ts';
import { version } from '../version.ts';
import { listen } from './listen.ts';
import { PortTakenError } from './open-port.ts';
import { notify } from './start-server.ts';

/**
 * Serves MCP until standard input ends or a signal comes, then closes the Sachet.
 * @param sandbox of the tools, unless a call names another one
 */
export function serveMcp(sachet: Sachet, sandbox: string): void {
  const context = { sachet, sandbox, isOwnKey: false, version };
  const transport = new StdioServerTransport(process.stdin, process.stdout);
  const create = async () => createMcpServer(context, await instructionsFor(context));
  const { close } = serveStdio(create, { transport, onerror: ({ message }) => notify(`mcp: ${message}`) });
  // A file or /dev/null as standard input ends, and is not closed.
  for (const event of ['end', 'close']) process.stdin.once(event, () => void close().then(() => sachet.close()));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.stdin.destroy());
  notify(`sachet: serving MCP for ${sachet.baseUrl}`);
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
