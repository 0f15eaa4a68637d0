// The flags of `sachet matrix`, and what they come to.
import { availableParallelism } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { type AssumptionId, assumptions } from '../../contract/assumptions.ts';
import { chooseReadings } from '../../contract/readings.ts';
import { envFlag, type GivenVariable } from '../client-environment.ts';
import { seconds, told, wholeFrom } from '../flag-values.ts';
import { jsonFlag, several } from '../flags.ts';
import { junitFlag, type Outputs } from '../report-files.ts';
import { type SettingFlags, settingFlags } from '../serve-flags.ts';
import type { Only } from './turns.ts';

export interface MatrixFlags extends SettingFlags, Outputs {
  readonly env: readonly GivenVariable[];
  readonly all: boolean;
  readonly only: readonly Only[];
  readonly parallel: number;
  readonly timeout?: number;
  readonly output: boolean;
}

export function matrixFlags(): Option[] {
  return [
    ...settingFlags(),
    envFlag(),
    new Option('--all', 'try also the readings that the first run never asked for').default(false),
    new Option('--only <id>', `look at this assumption, or this id=reading, alone; ${several}`)
      .argParser(only)
      .default([], 'all of them'),
    new Option('--parallel <number>', 'runs at a time')
      .argParser(wholeFrom(1))
      .default(availableParallelism(), 'one per core'),
    new Option('--timeout <seconds>', 'how long a run may take; then it is ended, and has failed')
      .argParser(seconds)
      .default(undefined, 'ten times as long as the first run, at least 20'),
    new Option('--output', 'also print what each run that failed has printed').default(false),
    jsonFlag('print one JSON document'),
    junitFlag(),
  ];
}

const only = (text: string, former: readonly Only[]): Only[] => [
  ...former,
  ...text.split(',').map((one) => onlyOf(one.trim())),
];

function onlyOf(text: string): Only {
  const [, id = '', reading] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (id === '') throw new InvalidArgumentError(`"${text}" names no assumption.`);
  if (reading !== undefined || !Object.hasOwn(assumptions, id)) told(() => chooseReadings({ [id]: reading ?? '' }));
  return { assumption: id as AssumptionId, reading };
}
