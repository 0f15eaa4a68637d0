// Reads the command line of the benchmark and turns it into settings; it measures nothing.
import { parseArgs } from 'node:util';

const full = { rounds: 5, roundSeconds: 2, starts: 10 };
const quick = { ...full, rounds: 3, roundSeconds: 0.7 };

export const usage = 'usage: node bench/run.mjs [--quick] [--json FILE]';

export function readOptions(args) {
  const { values } = parseArgs({ args, options: { quick: { type: 'boolean' }, json: { type: 'string' } } });
  return { settings: values.quick ? quick : full, jsonFile: values.json };
}
