// The command line as a whole: its commands, and which errors its caller can mend.
import type { Command } from 'commander';
import { UsageError } from '../../stores/errors.ts';
import { addCertify } from './certify.ts';
import { addCheck } from './check.ts';
import { checkEnvironment, program } from './flags.ts';
import { addHealthcheck } from './healthcheck.ts';
import { addInit } from './init.ts';
import { addMatrix } from './matrix.ts';
import { addOpenApi } from './openapi.ts';
import { addReport } from './report.ts';
import { addRequests } from './requests.ts';
import { addScenarios } from './scenarios.ts';
import { addServe } from './serve.ts';
import { addStore } from './store.ts';

export { usage } from './serve.ts';

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
    checkEnvironment(command);
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
