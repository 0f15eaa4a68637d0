// Reads the command line of the benchmark and turns it into settings; it measures nothing.
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { readArguments, UsageError } from './command.mjs';
import { plan } from './plan.mjs';
import { mostTries } from './tries.mjs';

/** Sachet's rate of orders settles after about five seconds: until then V8 compiles. */
const full = { rounds: 5, roundSeconds: 2, warmUpSeconds: 6, settleSeconds: 1, starts: 10 };
const quick = { rounds: 3, roundSeconds: 0.6, warmUpSeconds: 4, settleSeconds: 0.5, starts: 3 };
const options = { quick: { type: 'boolean' }, json: { type: 'string' }, only: { type: 'string' } };
const lineStart = `\n${' '.repeat(11)}`;
const namesOf = (rows) => {
  const names = rows.map(({ name }) => name).join(', ');
  return names.replaceAll(/(.{60,80},) /g, `$1${lineStart}`);
};
const isOfQuick = (row) => row.quick === true;

export const usage = `usage: npm run bench -- [--quick] [--only NAME,NAME] [--json FILE]
  --quick  the short form: exit code 1 also where a figure is far worse than usual each of ${mostTries} times (bench/usual.mjs)
  --only   these measurements: ${namesOf(plan)}
           of --quick: ${namesOf(plan.filter(isOfQuick))}
  --json   writes all figures into a file, for npm run bench:docs`;

/** `{ settings, isQuick, jsonFile, measurements }`. @throws UsageError for what is no option, or no measurement */
export function readOptions(args) {
  const { values, positionals } = readArguments(args, options);
  if (positionals.length > 0) {
    throw new UsageError(`"${positionals[0]}" belongs to no option; names are joined by commas without spaces`);
  }
  const isQuick = values.quick === true;
  const wanted = values.only === undefined ? undefined : readNames(values.only, isQuick);
  const measurements = plan.filter((row) => wanted?.includes(row.name) ?? (isOfQuick(row) || !isQuick));
  return { settings: isQuick ? quick : full, isQuick, jsonFile: values.json, measurements };
}

function readNames(only, isQuick) {
  const names = only.split(',');
  const refuse = (why) => {
    throw new UsageError(`--only "${only}": ${why}`);
  };
  if (names.includes('')) refuse('a name is empty; names are joined by commas, as in --only orders,products');
  if (/\s/.test(only)) refuse('names are joined by commas without spaces, as in --only orders,products');
  for (const name of names) {
    const row = plan.find((planned) => planned.name === name);
    if (row === undefined) refuse(`there is no measurement "${name}"`);
    if (isQuick && !isOfQuick(row)) refuse(`${name} is not part of --quick; measure it without --quick`);
  }
  return names;
}

/** Sees to it, before the measuring, that its figures can be kept. @throws UsageError */
export function needWritable(file) {
  try {
    const wasThere = existsSync(file);
    closeSync(openSync(file, 'a'));
    if (!wasThere) rmSync(file);
  } catch (error) {
    throw new UsageError(`--json "${file}" cannot be written (${error.message}); name a file that can`);
  }
}
