// The headers by which browsers keep answers from pages of other origins: what each does, and which answers have it.

import { type HeaderLines, linesOf } from '../control/journal/header-lines.ts';
import type { Edge, HeaderRule, ProtectingHeaders } from './edge.ts';
import type { AnswerKind } from './rendered.ts';

const everything: readonly AnswerKind[] = ['page', 'data', 'service'];

/** Each holds of all answers of its kinds: of refusals and redirections as of successes. */
export const headerRules: readonly HeaderRule[] = [
  /** Nothing is taken for a script or a style that is none. */
  { name: 'nosniff', of: everything, header: 'x-content-type-options', value: 'nosniff' },
  /** No other page shows it as an image, a script, a style, or whatever else it may load. */
  { name: 'resource policy', of: ['page', 'data'], header: 'cross-origin-resource-policy', value: 'same-origin' },
  /** Who opened it, or is opened by it, gets no hold of its window. */
  { name: 'opener policy', of: ['page'], header: 'cross-origin-opener-policy', value: 'same-origin' },
  /** No other page frames it, and has it pressed unseen. */
  { name: 'frame ancestors', of: ['page'], header: 'content-security-policy', value: "frame-ancestors 'none'" },
];

/** The headers of each kind of answer. */
export function headersBy(rules: readonly HeaderRule[]): ProtectingHeaders {
  const of = (kind: AnswerKind) =>
    Object.fromEntries(rules.filter((rule) => rule.of.includes(kind)).map(({ header, value }) => [header, value]));
  return { page: of('page'), data: of('data'), service: of('service') };
}

const policy = 'content-security-policy';
const none = {};

/** The headers of an answer with those that protect it. A policy that it has is kept, and one directive longer. */
export function protectedHeaders(
  { headers }: Pick<Edge, 'headers'>,
  kind: AnswerKind,
  given: Readonly<Record<string, string>> = none,
): HeaderLines {
  const own = headers[kind];
  const last = protectedLast.get(own);
  if (last?.given === given) return last.all;
  const all = linesOf(withPolicy(given, own));
  protectedLast.set(own, { given, all });
  return all;
}

/** Most answers have the very same headers of their own: what was made of the last ones is kept, by the headers that protect. */
const protectedLast = new WeakMap<object, { readonly given: object; readonly all: HeaderLines }>();

function withPolicy(given: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) {
  const [former, added] = [given[policy], own[policy]];
  const all: Record<string, string> = { ...given, ...own };
  if (former !== undefined && added !== undefined) all[policy] = `${former}; ${added}`;
  return all;
}

/** The same of a stream, which is made already. */
export function protectedAnswer(edge: Pick<Edge, 'headers'>, kind: AnswerKind, response: Response): Response {
  const former = response.headers.get(policy);
  const given: Record<string, string> = former === null ? {} : { [policy]: former };
  const all = protectedHeaders(edge, kind, given);
  for (let at = 0; at < all.length; at += 2) response.headers.set(all[at] ?? '', all[at + 1] ?? '');
  return response;
}
