// Sends the request of a case, and makes the expected error body.
import { answerStatusNames } from '../../src/contract/operation.ts';
import { type OperationId, operations } from '../../src/contract/operations.ts';
import { type Answer, type TestSachet, testSachet } from '../support/sachet.ts';
import type { Case, Rejection } from './case.ts';
import { goodRequests } from './requests.ts';

/** The whole error body (HTTP-3). */
export function errorBodyOf({ status, message, details }: Rejection) {
  return { statusCode: status, error: answerStatusNames[status], message, ...(details && { details }) };
}

/** The operation's good request with the changes of the case. */
export const requestOf = (id: OperationId, { request }: Pick<Case, 'request'>) => {
  const good: Record<string, { readonly path: string; readonly body?: unknown }> = goodRequests;
  return { path: operations[id].path, headers: {}, ...good[id], ...request };
};

/** A Sachet where everything but the call itself has happened. */
export async function prepare(
  id: OperationId,
  given: Omit<Case, 'rejection'> = {},
  sachet = testSachet({ assumptions: given.assumptions ?? {} }),
): Promise<{ sachet: TestSachet; send: () => Promise<Answer> }> {
  const { method, permission } = operations[id];
  const { user = permission === null ? null : 'demo', loginBase = '' } = given;
  const token = user === null ? undefined : (await sachet.login(user, { base: loginBase })).token;
  await given.meanwhile?.(sachet);
  if (given.advance) await sachet.advance(given.advance);
  const { path, ...sent } = requestOf(id, given);
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...authorization, ...sent.headers };
  return { sachet, send: () => sachet.call(method, path, { ...sent, headers }) };
}
