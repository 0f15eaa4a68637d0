// The command line of `sachet matrix -- <command>`.
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type AssumptionId, assumptionRegister } from '../../contract/assumptions.ts';
import { resolveChoices } from '../../contract/resolved-assumptions.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { envFlag } from '../client-server.ts';
import type { Selection } from '../matrix/calls.ts';
import type { MatrixFlags } from '../matrix/matrix.ts';
import { addOptions, checked, integerFrom, jsonFlag, listOf, seconds, several, wordsAfterDashes } from './flags.ts';
import { junitFlag } from './results.ts';
import { settingFlags } from './serve-flags.ts';

export const add = (line: Command): Command =>
  addOptions(line.command('matrix'), matrixFlags())
    .description('run your tests once per other reading of each assumption; exit with 1 where they fail by one')
    .usage('[options] -- <command>')
    .argument('[command...]')
    // wordsAfterDashes refuses flags of the client before `--`, and says where they belong.
    .allowUnknownOption()
    .action(matrix);

const matrixFlags = (): Option[] => [
  ...settingFlags(),
  envFlag(),
  new Option('--all', 'try also the readings that the first run never asked for').default(false),
  new Option('--only <id>', `look at this assumption, or this id=reading, alone; ${several}`)
    .argParser(listOf(selection))
    .default([], 'all of them'),
  new Option('--parallel <number>', 'runs at a time')
    .argParser(integerFrom(1))
    .default(availableParallelism(), 'one per core'),
  new Option('--timeout <seconds>', 'how long a run may take; then it is ended, and has failed')
    .argParser(seconds)
    .default(undefined, 'ten times as long as the first run, at least 20'),
  new Option('--output', 'also print what each run that failed has printed').default(false),
  jsonFlag('print one JSON document'),
  junitFlag(),
];

async function matrix(words: readonly string[], flags: MatrixFlags, { options }: Command): Promise<void> {
  const form = 'give the command behind --, such as: sachet matrix -- npm test';
  const client = wordsAfterDashes(words, form, options);
  if (client.length === 0) throw new UsageError(`there is no command to run; ${form}`);
  const { runMatrixCommand } = await import('../matrix/matrix.ts');
  if (!(await runMatrixCommand(client, flags))) process.exitCode = 1;
}

function selection(text: string): Selection {
  const [, id = '', reading] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (id === '') throw new InvalidArgumentError(`"${text}" names no assumption.`);
  if (reading !== undefined || !Object.hasOwn(assumptionRegister, id))
    checked(() => resolveChoices({ [id]: reading ?? '' }));
  return { assumption: id as AssumptionId, reading };
}
