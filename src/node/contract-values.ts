// What a flag's text means that speaks of the contract or of a sandbox.
import { InvalidArgumentError } from 'commander';
import { requireSandboxName } from '../contract/addresses.ts';
import { chooseReadings } from '../contract/readings.ts';
import { readClock } from '../control/clock.ts';
import { told } from './flag-values.ts';

/** `id=reading`, several by repeating the flag or by commas. */
export function assume(text: string, former: Readonly<Record<string, string>>): Record<string, string> {
  const choices = text.split(',').map((choice) => {
    const [, id, reading] = /^([^=]+)=(.+)$/.exec(choice.trim()) ?? [];
    if (id === undefined || reading === undefined)
      throw new InvalidArgumentError(`"${choice}" is not of the form id=reading.`);
    return [id, reading];
  });
  const chosen = Object.fromEntries(choices);
  told(() => chooseReadings(chosen));
  return { ...former, ...chosen };
}

export function clock(text: string): string {
  told(() => readClock(text));
  return text;
}

export const sandbox = (text: string): string => told(() => requireSandboxName(text));
