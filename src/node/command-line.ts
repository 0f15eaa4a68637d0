// The command line as a whole: its commands, and how it speaks when something is wrong.
import { Command } from 'commander';
import { version } from '../version.ts';
import { addCheck } from './commands/check.ts';
import { addInit } from './commands/init.ts';
import { addRequests } from './commands/requests.ts';
import { addScenarios } from './commands/scenarios.ts';
import { addServe } from './commands/serve.ts';
import { heedEnvironment } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** `sachet`: what stands without a command is `serve`. */
export function commandLine(): Command {
  const program = new Command('sachet').description('A sandbox of the Order and Fulfillment Service').version(version);
  // Set before the commands are added, which inherit it: an error is one sentence, thrown to whoever chooses the exit code.
  program.exitOverride().configureOutput({ outputError: (text, write) => write(asSentence(text)) });
  const serve = addServe(program, () => refuseUnknown(program, serve.args[0]));
  for (const add of [addInit, addCheck, addScenarios, addRequests]) add(program);
  program.hook('preSubcommand', (_, command) => {
    if (command === serve) refuseUnknown(program, program.args[0]);
    heedEnvironment(command);
  });
  // Whoever asks for help wants the flags of the command that runs without a name.
  program.addHelpText('after', () => `\n${serve.helpInformation()}`);
  return program;
}

const asSentence = (text: string): string =>
  `sachet: ${text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ')} (\`--help\` tells the flags)\n`;

/** A command that there is none of is told by its name: it has come to serve, which counts it as an argument too many. */
function refuseUnknown(program: Command, word: string | undefined): void {
  const known = program.commands.map((command) => command.name());
  if (word !== undefined && !word.startsWith('-') && !known.includes(word))
    throw new UsageError(`unknown command "${word}"; there are: ${known.join(', ')}`);
}
