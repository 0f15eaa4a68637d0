// Why a scenario failed, on one line.
import type { ScenarioResult } from './certification.ts';
import { countInWords, matchInWords } from './expectation-words.ts';

/** The first reason: what kept the client from its calls, an expectation that was not met, a rule that was broken. */
export function failureInWords({ outcome, note, expect, conduct }: ScenarioResult): string | undefined {
  if (outcome === 'pass') return undefined;
  const unmet = expect.find(({ satisfied }) => !satisfied);
  const broken = conduct.find((rule) => rule.outcome === 'fail');
  if (note !== null) return note.replace(/\n.*/s, '');
  if (unmet)
    return `expected ${countInWords(unmet.count)} of ${matchInWords(unmet.match)}, and ${unmet.came ?? 'nobody knows how many'} came`;
  return broken ? `${broken.id}: ${broken.advice}` : undefined;
}
