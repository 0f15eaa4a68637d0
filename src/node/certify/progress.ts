// What is told on the way: on standard error, as the reports go to standard output.
import { visible } from '../visible.ts';
import type { ScenarioResult } from './certification.ts';
import { awaited } from './expectation-words.ts';
import { failureInWords } from './failure-words.ts';
import type { Progress } from './walk.ts';

const tell = (line: string): void => void process.stderr.write(`${visible(line)}\n`);

/** What is in the sandbox of a server that runs already. */
export const tellKept = (snapshot: string): void =>
  tell(`What is in the sandbox is kept as its snapshot "${snapshot}", and brought back in the end.`);

/** Sachet shall end before the walk has. */
export const tellEnding = (snapshot: string | undefined): void =>
  tell(snapshot === undefined ? 'Ending.' : 'Ending; bringing the sandbox back.');

/** It ends at once. */
export const tellLeft = (snapshot: string | undefined): void => {
  if (snapshot !== undefined)
    tell(`The sandbox was not brought back; what was in it is its snapshot "${snapshot}", if that is still there.`);
};

/** With what more is known of a failure on lines of its own. */
function tellOutcome(begin: string, result: ScenarioResult): void {
  const why = failureInWords(result);
  tell(`${begin}${result.outcome} after ${(result.duration_ms / 1000).toFixed(1)} s${why ? `: ${why}` : ''}`);
  for (const line of result.note?.split('\n').slice(1) ?? []) tell(`    ${line}`);
}

/** A line per scenario, for a client that needs no words. */
export const progressByLines = (scenarios: number): Progress => ({
  opened: () => undefined,
  begun: () => undefined,
  applied: () => undefined,
  judged: (result, number) => tellOutcome(`${number}/${scenarios} ${result.name}: `, result),
});

/** What whoever has the client called must know. */
export const progressElsewhere = (scenarios: number, baseUrl: string, timeoutSeconds: number): Progress => ({
  opened: () => tell(`Certifying the client that calls ${baseUrl}.`),
  begun: ({ name, intent, right_client }, number) => {
    tell(`${number}/${scenarios} ${name}: ${intent}`);
    tell(`  A right client: ${right_client}`);
  },
  applied: (scenario) => {
    tell(`  Waiting, at most ${timeoutSeconds} s, for:`);
    for (const line of awaited(scenario)) tell(`    ${line}`);
  },
  judged: (result) => tellOutcome('  ', result),
});
