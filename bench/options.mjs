// Reads the command line of the benchmark and turns it into settings; it measures nothing.
import { parseArgs } from 'node:util';
import { plan } from './plan.mjs';

/** Sachet's rate of orders settles after about five seconds: until then V8 compiles. */
const full = { rounds: 5, roundSeconds: 2, warmUpSeconds: 6, settleSeconds: 1, starts: 10 };
const quick = { rounds: 3, roundSeconds: 0.6, warmUpSeconds: 4, settleSeconds: 0.5, starts: 3 };
const options = { quick: { type: 'boolean' }, json: { type: 'string' }, only: { type: 'string' } };

export const usage = `usage: node bench/run.mjs [--quick] [--only name,name] [--json FILE]
  --quick  the short form: a few measurements, and exit code 1 only where a figure is far worse than usual
  --only   these measurements: ${plan.map(({ name }) => name).join(', ')}
  --json   writes all figures into a file`;

/** `{ settings, isQuick, jsonFile, measurements }`. @throws for what is no option, or no measurement */
export function readOptions(args) {
  const { values } = parseArgs({ args, options });
  const isQuick = values.quick === true;
  const wanted = values.only?.split(',') ?? plan.filter((row) => row.quick || !isQuick).map(({ name }) => name);
  const unknown = wanted.find((name) => !plan.some((row) => row.name === name));
  if (unknown !== undefined) throw new Error(`there is no measurement "${unknown}"`);
  const measurements = plan.filter(({ name }) => wanted.includes(name));
  return { settings: isQuick ? quick : full, isQuick, jsonFile: values.json, measurements };
}
