// The command line of a start alone: it loads nothing of the other commands.
import type { Command } from 'commander';
import { checkEnvironment, program } from './flags.ts';
import { addServe } from './serve.ts';

export { usage } from './serve.ts';

/** `sachet serve`, also without the word. */
export function commandLine(): Command {
  const line = program();
  const serve = addServe(line, () => refuseUnknown(serve.args[0]));
  return line.hook('preSubcommand', async (_, command) => {
    await refuseUnknown(line.args[0]);
    checkEnvironment(command);
  });
}

/** Loads the whole command line, which knows the commands to suggest. @throws UsageError */
async function refuseUnknown(word: string | undefined): Promise<void> {
  if (word === undefined || word.startsWith('-') || word === 'serve') return;
  const whole = await import('./command-line.ts');
  whole.refuseUnknown(whole.commandLine(), word);
}
