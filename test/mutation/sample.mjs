// Runs Stryker on a sample of the mutants: those at each Nth place in the order of files and lines, so that two commits with the same sources get the
// same ones. A place that contains other places is left out. Usage: node sample.mjs EVERY REPORT.json PATTERN…
import { readFileSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { glob } from 'tinyglobby';

const [every = '1', report = 'mutation.json', ...patterns] = process.argv.slice(2);
const quiet = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };

/** The places of mutants in a file, as ranges of Stryker's option `mutate`. */
async function placesIn(file) {
  const options = { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [], noHeader: true };
  const { mutants } = await new Instrumenter(quiet).instrument(
    [{ name: file, content: readFileSync(file, 'utf8'), mutate: true }],
    options,
  );
  const places = [...new Map(mutants.map(({ location }) => [JSON.stringify(location), location])).values()];
  return places
    .filter((place) => !places.some((other) => other !== place && contains(place, other)))
    .map(({ start, end }) => `${file}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`);
}
const isBefore = (one, other) => one.line < other.line || (one.line === other.line && one.column <= other.column);
const contains = (outer, inner) => isBefore(outer.start, inner.start) && isBefore(inner.end, outer.end);

const places = [];
for (const file of (await glob(patterns)).sort()) places.push(...(await placesIn(file)));
const mutate = places.filter((_, index) => index % Number(every) === 0);
console.log(`${mutate.length} of ${places.length} places`);
if (process.env.LIST_ONLY) process.exit();

await new Stryker({
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  // TypeScript 7 has no API that Stryker could read a configuration with.
  tsconfigFile: 'none.json',
  mutator: { excludedMutations: ['StringLiteral'] },
  mutate,
  ignorePatterns: ['/docs', '/examples', '/bench'],
  concurrency: 2,
  timeoutMS: 60_000,
  reporters: ['progress-append-only', 'json', 'clear-text'],
  jsonReporter: { fileName: report },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
}).runMutationTest();
