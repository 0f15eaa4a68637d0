// The headers that an answer carries beside the service's own: which request, which rule, which assumption, which fault; and `Date`, by
// the sandbox's clock.
import { debugHeaderNames } from '../contract/debug-headers.ts';
import { Lately } from '../contract/lately.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { Terms } from '../contract/terms.ts';
import { reportedFaults } from '../control/journal/decision.ts';
import type { HeaderLines } from '../control/journal/header-lines.ts';
import type { Call } from './call.ts';
import type { Edge } from './edge.ts';

/** Rules that a header names at most: it is bounded, the details of an answer are not. */
const maxRules = 50;
const dates = new Lately<number, string>(1000);

/** `Date` of an answer, in whole seconds. */
export function dateHeader(now: number): string {
  const second = Math.floor(now / 1000);
  return dates.get(second) ?? dates.keep(second, new Date(second * 1000).toUTCString());
}

/** The rules of an answer's details, in order; one where it has none. */
const rulesOf = (refusal: Refusal, terms: Terms): string[] => reportedFaults(refusal, terms).map(({ rule }) => rule);

/** The rule alone, of a call that was refused before its sandbox was known. */
export const ruleHeader = (
  { debugHeaders }: Pick<Edge, 'debugHeaders'>,
  { judgedAs }: Refusal,
): Record<string, string> => (debugHeaders ? { [debugHeaderNames.rule]: judgedAs } : {});

/** Those of an answer. */
export function debugHeaders(id: string, call: Call, refusal: Refusal | undefined): HeaderLines {
  const lines: string[] = [debugHeaderNames.requestId, id];
  const { terms, metBy } = call;
  if (refusal && terms) lines.push(debugHeaderNames.rule, rulesOf(refusal, terms).slice(0, maxRules).join(', '));
  const assumed = terms?.asText();
  if (assumed) lines.push(debugHeaderNames.assumption, assumed);
  if (metBy.length > 0) lines.push(debugHeaderNames.fault, metBy.join(', '));
  return lines;
}
