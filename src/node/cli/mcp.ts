// `sachet mcp`: an MCP server for coding agents over standard input and output, for a running server or one of its own.
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { createEngine } from '../../app.ts';
import { type Sachet, sachetAt } from '../../client/sachet.ts';
import { stage } from '../../contract/addresses.ts';
import { createMcpServer, instructionsFor } from '../../mcp/server.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { version } from '../../version.ts';
import { listen } from '../listen.ts';
import { PortTakenError } from '../open-port.ts';
import { createLog, platform } from '../platform.ts';
import { notify } from '../start-server.ts';
import {
  addOptions,
  baseUrlVariable,
  firstGiven,
  keyFlag,
  portFlag,
  type RemoteFlags,
  remoteOf,
  sandboxFlag,
  urlFlag,
} from './flags.ts';
import { type SettingFlags, settingFlags, settingOf } from './serve-flags.ts';

interface McpFlags extends RemoteFlags, SettingFlags {
  readonly port: number;
}

export const add = (line: Command): Command =>
  addOptions(line.command('mcp'), [
    sandboxFlag('sandbox of the tools, unless a call names another one').default(undefined, stage),
    urlFlag('URL of a running server; without it and SACHET_BASE_URL, the command starts a server of its own'),
    keyFlag(),
    portFlag('port of its own server; without the flag, a free one if 4010 is in use'),
    ...settingFlags(),
  ])
    .description('serve MCP to a coding agent over standard input and output')
    .addHelpText('after', examples)
    .action(mcp);

const examples = `
Examples:
  sachet mcp
  sachet mcp --url http://localhost:4010 --key local-key-1`;

/** The flags of its own server. */
const own = ['--port', ...settingFlags().map(({ long }) => long ?? '')];

async function mcp(flags: McpFlags, command: Command): Promise<void> {
  const url = flags.url ?? baseUrlVariable();
  const ownFlag = firstGiven(command, own);
  if (firstGiven(command, ['--url']) && ownFlag)
    throw new UsageError(
      `--url is for a running server, but ${ownFlag} sets up a server of its own; use only one of them`,
    );
  // Flags beat the variables of the URL.
  const { sachet, sandbox } = url === undefined || ownFlag ? await ownSachet(flags, command) : remoteSachet(flags);
  const transport = new StdioServerTransport(process.stdin, process.stdout);
  const context = { sachet, sandbox, isOwnKey: false, version };
  const create = async () => createMcpServer(context, await instructionsFor(context));
  const { close } = serveStdio(create, { transport, onerror: ({ message }) => notify(`mcp: ${message}`) });
  // Standard input ends when the agent does.
  process.stdin.once('close', () => void close().then(() => sachet.close()));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.stdin.destroy());
  notify(`sachet: serving MCP for ${sachet.baseUrl}`);
}

interface Connected {
  readonly sachet: Sachet;
  readonly sandbox: string;
}

/** @throws UsageError without a key */
function remoteSachet(flags: McpFlags): Connected {
  const { sandbox, ...options } = remoteOf(flags);
  return { sachet: sachetAt(options, async () => undefined), sandbox };
}

/** Starts a server in this process. @throws UsageError for invalid flags and a port that cannot be listened on */
async function ownSachet(
  { port, adminKey, sandbox = stage, ...flags }: McpFlags,
  command: Command,
): Promise<Connected> {
  const engineOptions = { ...platform, ...(await settingOf(flags)), adminKey, log: createLog('text') };
  const isDefault = command.getOptionValueSource('port') === 'default';
  const start = async (at: number) => {
    const engine = createEngine(engineOptions);
    return { engine, ...(await listen(engine, { port: at, host: '127.0.0.1' })) };
  };
  const { engine, url, close } = await start(port).catch((error: unknown) => {
    if (isDefault && error instanceof PortTakenError) return start(0);
    throw error;
  });
  return { sachet: sachetAt({ url, adminKey: engine.adminKey, fetch: engine.fetch }, close), sandbox };
}
