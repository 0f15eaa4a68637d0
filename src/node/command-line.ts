// The command line as a whole: its commands, and which errors its caller can mend.
import type { Command } from 'commander';
import { UsageError } from '../stores/errors.ts';
import { addCertify } from './cli/certify.ts';
import { addCheck } from './cli/check.ts';
import { addHealthcheck } from './cli/healthcheck.ts';
import { addInit } from './cli/init.ts';
import { addMatrix } from './cli/matrix.ts';
import { addOpenApi } from './cli/openapi.ts';
import { addReport } from './cli/report.ts';
import { addRequests } from './cli/requests.ts';
import { addScenarios } from './cli/scenarios.ts';
import { addServe } from './cli/serve.ts';
import { addStore } from './cli/store.ts';
import { heedEnvironment, program } from './flags.ts';

export { usage } from './cli/serve.ts';

/** `sachet`: what stands without a command is `serve`. */
export function commandLine(): Command {
  const line = program();
  const serve = addServe(line, () => refuseUnknown(line, serve.args[0]));
  for (const add of [
    addInit,
    addCheck,
    addScenarios,
    addOpenApi,
    addRequests,
    addReport,
    addCertify,
    addMatrix,
    addStore,
    addHealthcheck,
  ])
    add(line);
  line.hook('preSubcommand', (_, command) => {
    if (command === serve) refuseUnknown(line, line.args[0]);
    heedEnvironment(command);
  });
  // Whoever asks for help wants the flags of the command that runs without a name.
  return line.addHelpText('after', () => `\n${serve.helpInformation()}`);
}

/** A command that there is none of is told by its name: it has come to serve, which counts it as an argument too many. */
export function refuseUnknown(line: Command, word: string | undefined): void {
  const known = line.commands.map((command) => command.name());
  if (word !== undefined && !word.startsWith('-') && !known.includes(word))
    throw new UsageError(`unknown command "${word}"; there are: ${known.join(', ')}`);
}
