// The flags of `sachet matrix`, and what they come to.
import { availableParallelism } from 'node:os';
import { InvalidArgumentError, type Option } from 'commander';
import { type AssumptionId, assumptions } from '../../contract/assumptions.ts';
import { chooseReadings } from '../../contract/readings.ts';
import { envFlag, type GivenVariable } from '../client-environment.ts';
import { told, wholeFrom } from '../flag-values.ts';
import { flag, jsonFlag } from '../flags.ts';
import { type Junit, junitFlag } from '../junit.ts';
import { several, type WorldFlags, worldFlags } from '../world-flags.ts';
import type { Only } from './turns.ts';

export interface MatrixFlags extends WorldFlags {
  readonly env: readonly GivenVariable[];
  readonly all: boolean;
  readonly only: readonly Only[];
  readonly parallel: number;
  readonly timeout?: number;
  readonly output: boolean;
  readonly json: boolean;
  readonly junit?: Junit;
}

export function matrixFlags(): Option[] {
  return [
    ...worldFlags(),
    envFlag(),
    flag('--all', 'try also the readings that the first run never asked for').default(false),
    flag('--only <id>', `look at this assumption, or this id=reading, alone; ${several}`)
      .argParser(only)
      .default([], 'all of them'),
    flag('--parallel <number>', 'runs at a time')
      .argParser(wholeFrom(1))
      .default(availableParallelism(), 'one per core'),
    flag('--timeout <seconds>', 'how long a run may take; then it is ended, and has failed')
      .argParser(wholeFrom(1))
      .default(undefined, 'ten times as long as the first run, at least 20'),
    flag('--output', 'also print what each run that failed has printed').default(false),
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
