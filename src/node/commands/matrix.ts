// `sachet matrix -- <command>`: a client's own command once per other reading, to tell which of them it depends on.
import type { Command } from 'commander';
import { UsageError } from '../../stores/errors.ts';
import { behindDashes } from '../behind-dashes.ts';
import { type MatrixFlags, matrixFlags } from '../matrix/matrix-flags.ts';

export function addMatrix(program: Command): void {
  const command = program.command('matrix').usage('[options] -- <command>').argument('[command...]');
  for (const option of matrixFlags()) command.addOption(option);
  command
    .description('run your tests once per other reading of each assumption; exit with 1 where they fail by one')
    // Flags of the client that stand before `--`, and what is missing behind it, are told with the right form.
    .allowUnknownOption()
    .action(async (words: readonly string[], flags: MatrixFlags) => {
      const client = behindDashes(words, form, command.options);
      if (client.length === 0) throw new UsageError(`there is no command to run; ${form}`);
      const { tellMatrix } = await import('../matrix/tell-matrix.ts');
      if (!(await tellMatrix(client, flags))) process.exitCode = 1;
    });
}

const form = 'give the command behind --, such as: sachet matrix -- npm test';
