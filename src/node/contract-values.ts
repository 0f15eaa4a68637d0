// What a flag's text means that speaks of the contract or of a sandbox.
import { InvalidArgumentError } from 'commander';
import { sandboxName } from '../contract/addresses.ts';
import { chooseReadings } from '../contract/readings.ts';
import { readClock } from '../control/clock.ts';

/** What the check throws is told as the fault of the flag it came by. */
function told<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

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

export function sandbox(text: string): string {
  if (sandboxName.test(text)) return text;
  throw new InvalidArgumentError(`"${text}" is no sandbox name such as w7: lower-case letters, digits, ".", "_", "-".`);
}
