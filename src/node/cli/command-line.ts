// The whole command line with all commands.
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

/** In the order of `--help`. */
const addOthers = [
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
];

export function commandLine(): Command {
  const line = program();
  const serve = addServe(line, () => refuseUnknown(line, serve.args[0]));
  for (const add of addOthers) add(line);
  line.hook('preSubcommand', (_, command) => {
    if (command === serve) refuseUnknown(line, line.args[0]);
    checkEnvironment(command);
  });
  // The flags of the default command are of use in the general help, too.
  return line.addHelpText('after', () => `\n${serve.helpInformation()}`);
}

/** @throws UsageError for a word that is no command; commander would count it as an excess argument of serve */
export function refuseUnknown(line: Command, word: string | undefined): void {
  const known = line.commands.map((command) => command.name());
  if (word !== undefined && !word.startsWith('-') && !known.includes(word))
    throw new UsageError(`unknown command "${word}"; there are: ${known.join(', ')}`);
}
