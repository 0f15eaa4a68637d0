// The command line of `sachet matrix -- <command>`.
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type AssumptionId, assumptionRegister } from '../../contract/assumptions.ts';
import { resolveChoices } from '../../contract/resolved-assumptions.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { envFlag } from '../client-server.ts';
import type { Selection } from '../matrix/calls.ts';
import type { MatrixFlags } from '../matrix/matrix.ts';
import {
  addOptions,
  checked,
  firstGiven,
  integerFrom,
  jsonFlag,
  listOf,
  nonEmpty,
  seconds,
  several,
  wordsAfterDashes,
} from './flags.ts';
import { junitFlag } from './results.ts';
import { settingFlags } from './serve-flags.ts';

export const add = (line: Command): Command =>
  addOptions(line.command('matrix'), matrixFlags())
    .description('run your tests once for each other choice of each assumption; exit with 1 if a run fails')
    .usage('[options] -- <command>')
    .argument('[command...]')
    // wordsAfterDashes refuses flags of the client before `--`, and explains the correct form.
    .allowUnknownOption()
    .action(matrix);

const matrixFlags = (): Option[] => [
  ...settingFlags(),
  envFlag(),
  new Option('--all', 'also try the assumptions that the first run did not use').default(false),
  new Option('--only <id>', `try only this assumption, or only this id=choice; ${several}`)
    .argParser(listOf(selection))
    .default([], 'all of them'),
  new Option('--parallel <number>', 'number of runs at a time')
    .argParser(integerFrom(1))
    .default(availableParallelism(), 'one per core; 1 with --results without {run}'),
  new Option('--timeout <seconds>', 'time limit for a run; a run that takes longer is stopped and fails')
    .argParser(seconds)
    .default(undefined, 'ten times as long as the first run, at least 20'),
  new Option(
    '--results <path>',
    'results of your tests, to name those that fail: the JUnit XML, or JSON of Vitest or Jest, that the command ' +
      'writes; a file, a folder or a pattern with *; {run} is the number of the run, here and in the command',
  ).argParser(nonEmpty),
  new Option('--output', 'also print the output of each failed run').default(false),
  jsonFlag('print one JSON document'),
  junitFlag('table'),
];

async function matrix(words: readonly string[], flags: MatrixFlags, command: Command): Promise<void> {
  const form = 'put the command after --, for example: sachet matrix -- npm test';
  const client = wordsAfterDashes(words, form, command.options);
  if (client.length === 0) throw new UsageError(`no command to run; ${form}`);
  const { runMatrixCommand } = await import('../matrix/matrix.ts');
  const parallel = runsAtATime(flags, firstGiven(command, ['--parallel']) !== undefined);
  if (!(await runMatrixCommand(client, { ...flags, parallel }))) process.exitCode = 1;
}

/** Runs that write the same file cannot be parallel. @throws UsageError if the flags ask for it */
function runsAtATime({ parallel, results }: MatrixFlags, isGiven: boolean): number {
  if (results === undefined || results.includes('{run}')) return parallel;
  if (isGiven && parallel > 1)
    throw new UsageError(
      `--parallel ${parallel} needs a results file per run; write {run} into --results and into the command, for ` +
        'example: --results out/{run}.json -- npx vitest run --reporter=json --outputFile=out/{run}.json',
    );
  return 1;
}

function selection(text: string): Selection {
  const [, id = '', reading] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (id === '') throw new InvalidArgumentError(`"${text}" does not name an assumption. Use id or id=choice.`);
  if (reading !== undefined || !Object.hasOwn(assumptionRegister, id))
    checked(() => resolveChoices({ [id]: reading ?? '' }));
  return { assumption: id as AssumptionId, reading };
}
