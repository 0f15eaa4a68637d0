// A refusal as a document shows it: the very answer, made by the operation's own schemas where a part of the request breaks the rule.
import { faultsOf } from '../messages.ts';
import type { ServiceOperation } from '../operations.ts';
import { Refusal } from '../refusal.ts';
import { answerTo, type RefusalAnswer } from '../refusal-answer.ts';
import { type Rule, type RuleId, rules } from '../rules.ts';
import type { Terms } from '../terms.ts';
import { type Breach, breachesOf } from './breaches.ts';
import type { Samples } from './samples.ts';
import { shownRefusals } from './shown-refusals.ts';

/**
 * The answer by which the operation refuses by this rule, or any operation where none is given; undefined where it cannot, by the readings.
 * @throws Error for a rule that a schema judges, and that nobody said how to break
 */
export function refusalExample(
  operation: ServiceOperation | undefined,
  rule: RuleId,
  terms: Terms,
  samples: Samples,
): RefusalAnswer | undefined {
  const { when }: Rule = rules[rule];
  const shown = shownRefusals[rule];
  if (shown === 'never' || (when && !when(terms))) return undefined;
  if (shown) return answerTo(new Refusal(rule, shown(samples, operation?.id ?? '')), terms);
  const refusal = operation && broken(operation, rule, terms, samples);
  return refusal && answerTo(refusal, terms);
}

/** Refused by a schema, and by this rule first. */
function broken(operation: ServiceOperation, rule: RuleId, terms: Terms, samples: Samples): Refusal | undefined {
  const refusals = breachesOf(operation, rule).map((breach) => refusalBy(breach, operation, terms, samples));
  return refusals.find((refusal) => refusal?.faults[0].rule === rule);
}

/** The refusal of a good request that was changed; undefined where it is taken. */
function refusalBy({ part, change }: Breach, operation: ServiceOperation, terms: Terms, { requests }: Samples) {
  const { [operation.id]: sample } = requests;
  const good = part === 'body' ? (sample.whole ?? sample.body) : sample[part];
  const result = operation[part]?.(terms).safeParse(change(good ?? {}), { reportInput: true });
  const judgedAs = part === 'query' ? 'malformed_parameter' : undefined;
  return result?.error && new Refusal(faultsOf(result.error), { judgedAs });
}
