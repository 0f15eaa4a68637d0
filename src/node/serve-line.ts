// The command line of a start alone: it loads nothing of the other commands.
import type { Command } from 'commander';
import { addServe } from './cli/serve.ts';
import { heedEnvironment, program } from './flags.ts';

export { usage } from './cli/serve.ts';

/** `sachet serve`, also without the word. */
export function commandLine(): Command {
  const line = program();
  const serve = addServe(line, () => refuseUnknown(serve.args[0]));
  return line.hook('preSubcommand', async (_, command) => {
    await refuseUnknown(line.args[0]);
    heedEnvironment(command);
  });
}

/** Which commands there are, the whole line knows. @throws UsageError */
async function refuseUnknown(word: string | undefined): Promise<void> {
  if (word === undefined || word.startsWith('-') || word === 'serve') return;
  const whole = await import('./command-line.ts');
  whole.refuseUnknown(whole.commandLine(), word);
}
