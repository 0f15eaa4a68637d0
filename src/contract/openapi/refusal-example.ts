// A refusal as a document shows it: the very answer, made by the operation's own schemas where a part of the request breaks the rule.
import { limits } from '../limits.ts';
import { faultsOf } from '../messages.ts';
import type { Operation } from '../operation.ts';
import { type FieldPath, Refusal } from '../refusal.ts';
import { answerTo, type RefusalAnswer } from '../refusal-answer.ts';
import type { Facts, RuleId } from '../rules.ts';
import type { Terms } from '../terms.ts';
import { breachOf } from './breaches.ts';
import type { Samples } from './samples.ts';

/** The parts of a request that have schemas. */
export type RequestPart = 'params' | 'query' | 'body';
type Judging = Pick<Operation, 'id' | RequestPart>;

/** The answer by which the operation refuses by this rule; undefined where it cannot, by the readings in force. */
export function refusalExample(
  operation: Judging,
  rule: RuleId,
  terms: Terms,
  samples: Samples,
): RefusalAnswer | undefined {
  const refusal = breachOf(operation, rule) ? broken(operation, rule, terms, samples) : told(operation, rule, samples);
  return refusal && reachable(rule, terms) ? answerTo(refusal, terms) : undefined;
}

/** Refused by a schema, and by this rule first. */
function broken(operation: Judging, rule: RuleId, terms: Terms, { requests }: Samples): Refusal | undefined {
  const { part, change } = breachOf(operation, rule) ?? {};
  const schema = part && operation[part];
  if (!(part && schema && change)) return undefined;
  // An update may bring every field that a new order has.
  const sample = requests[(operation.id === 'orders.update' && part === 'body' ? 'orders.create' : operation.id) as Id];
  const { error } = schema(terms).safeParse(change(sample[part] ?? {}), { reportInput: true });
  if (!error) return undefined;
  const faults = faultsOf(error);
  const judgedAs = part === 'query' ? 'malformed_parameter' : undefined;
  return faults[0].rule === rule ? new Refusal(faults, { judgedAs }) : undefined;
}
type Id = keyof Samples['requests'];

/** Refused by what the service knows, or by what no schema sees. */
function told({ id }: Judging, rule: RuleId, samples: Samples): Refusal {
  const factsOf = facts[rule];
  return new Refusal(rule, factsOf?.(samples, id));
}

type About = Facts & { readonly path?: FieldPath };

const firstLine: FieldPath = ['order_lines', 0];
const firstPouch: FieldPath = [...firstLine, 'pouches', 0];
const product = (): About => ({ path: [...firstPouch, 'contents', 0, 'client_product_id'] });

const facts: { readonly [Rule in RuleId]?: (samples: Samples, operation: string) => About } = {
  'LIM-1': () => ({ retryAfterSeconds: limits.retryAfterSeconds }),
  body_too_large: () => ({ value: limits.bodyBytes }),
  'CAT-2': (_, operation) => ({ what: operation.startsWith('products') ? 'Product' : 'Consumer' }),
  'FUL-1': () => ({ what: 'Fulfillment' }),
  'FUL-2': () => ({ what: 'Order' }),
  'ORD-11': () => ({ path: ['consumer', 'id'] }),
  'ORD-17': product,
  'ORD-18': product,
  'ORD-19': ({ inactiveProduct }) => ({ path: ['order_lines'], names: [inactiveProduct] }),
  'ORD-20': ({ discontinuedProduct, operator }) => ({ path: ['order_lines'], names: [discontinuedProduct], operator }),
  'ORD-21': () => ({ path: firstLine }),
  pack_id: () => ({ path: [...firstPouch, 'pack_id'] }),
};

/** Whether a rule that no schema judges can refuse at all, by the readings. */
function reachable(rule: RuleId, terms: Terms): boolean {
  if (rule === 'foreign_resource') return terms.get('foreign_resource') === '403';
  if (rule === 'pack_id') return terms.get('pack_id') === 'known';
  if (rule === 'AUTH-5') return terms.get('permissions') === 'per_endpoint';
  // An operation that is not offered stands in no document.
  return rule !== 'order_endpoints' && rule !== 'consumer_endpoints';
}
