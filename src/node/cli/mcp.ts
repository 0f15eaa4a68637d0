// `sachet mcp`: an MCP server for coding agents over standard input and output, for a running server or one of its own.
import type { Command } from 'commander';
import { stage } from '../../contract/addresses.ts';
import { adminPath } from '../../contract/control/control-operation.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { createLog, platform } from '../platform.ts';
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

async function mcp(flags: McpFlags, command: Command): Promise<void> {
  const ownFlag = firstGiven(command, ['--port', ...settingFlags().map(({ long }) => long)]);
  if (ownFlag && firstGiven(command, ['--url']))
    throw new UsageError(
      `--url is for a running server, but ${ownFlag} sets up a server of its own; use only one of them`,
    );
  const { ownSachet, serveMcp, serveMcpFor } = await import('../mcp.ts');
  // Flags beat the variables of the URL.
  if (!ownFlag && (flags.url ?? baseUrlVariable()) !== undefined) return serveMcpFor(remoteOf(flags));
  const { port, adminKey, sandbox = stage } = flags;
  const write = createLog('text');
  // Not the calls of the tools.
  const log: typeof write = (answered) => answered.path.startsWith(adminPath) || write(answered);
  const options = { ...platform, ...(await settingOf(flags)), adminKey, log };
  serveMcp(await ownSachet(options, port, command.getOptionValueSource('port') !== 'default'), sandbox);
}
