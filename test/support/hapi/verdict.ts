/** Whether two answers to the same request are one. */
import { errorBody } from '../../../src/contract/refusal.ts';
import type { RuleId } from '../../../src/contract/rules.ts';
import type { HttpAnswer } from '../http-answers.ts';
import type { Told } from './differences.ts';
import { passedHeader } from './server.ts';

/** Rules on what is stored: the reference stores nothing, so it lets pass what they refuse. */
const ofRecords: ReadonlySet<string> = new Set<RuleId>([
  ...(['bad_credentials', 'bad_refresh_token', 'CAT-2', 'FUL-1', 'FUL-2'] as const),
  ...(['ORD-11', 'ORD-17', 'ORD-18', 'ORD-19', 'ORD-20', 'ORD-21', 'ORD-22', 'ORD-23'] as const),
]);

/** What of an answer is compared: an error's whole body, and of an answer to HEAD the length that it would have. */
const comparable = ({ status, headers, text }: HttpAnswer): unknown => ({
  status,
  type: headers['content-type'],
  challenge: headers['www-authenticate'],
  length: headers['content-length'],
  body: text === '' ? 'none' : JSON.parse(text),
});

/** An answer of the hapi reference that says no more than that its checks were passed. */
export const isPassed = ({ headers }: HttpAnswer): boolean => headers[passedHeader] === 'yes';

/** What is to be equal, of both answers. */
export function verdicts(ours: HttpAnswer, theirs: HttpAnswer, isHead: boolean): readonly [unknown, unknown] {
  if (!isPassed(theirs)) return [comparable(ours), comparable(theirs)];
  const rule = ours.headers['sandbox-rule'];
  const isTaken = ours.status < 300 || rule?.split(', ').every((one) => ofRecords.has(one));
  const told = { type: ours.headers['content-type'], hasBody: ours.text !== '' };
  const expected = { type: theirs.headers['content-type'], hasBody: !isHead };
  return [
    { passed: isTaken || comparable(ours), ...told },
    { passed: true, ...expected },
  ];
}

/** Status and message, of an answer that is a refusal. */
export function toldBy({ status, text }: HttpAnswer): Told {
  return [status, text === '' ? undefined : JSON.parse(text).message];
}

/** An error in the body of the contract; of an answer to HEAD its head alone. */
export const isRefusal = ({ status, headers, text }: HttpAnswer): boolean =>
  headers['content-type'] === 'application/json; charset=utf-8' &&
  (text === '' || errorBody.safeParse(JSON.parse(text)).data?.statusCode === status);
