// Puts a case's question to a Sachet, and says what the whole body of the refusal must be.
import { type OperationId, operations } from '../../src/contract/operations.ts';
import type { Case, Refused } from '../cases/case.ts';
import { goodRequests } from '../cases/requests.ts';
import { type Answer, type TestSachet, testSachet } from './sachet.ts';

const names: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  422: 'Unprocessable Entity',
};

/** The error body of HTTP-3, whole. */
export function errorBodyOf({ status, message, details }: Refused) {
  return { statusCode: status, error: names[status], message, ...(details ? { details } : {}) };
}

/** The operation's good request with what the case changes. */
export const requestOf = (id: OperationId, { request }: Pick<Case, 'request'>) => {
  const good: Record<string, { readonly path: string; readonly body?: unknown }> = goodRequests;
  return { path: operations[id].path, headers: {}, ...good[id], ...request };
};

/** A Sachet where everything has happened but the call itself. */
export async function prepare(
  id: OperationId,
  given: Omit<Case, 'refused'> = {},
): Promise<{ sachet: TestSachet; send: () => Promise<Answer> }> {
  const { method, permission } = operations[id];
  const { user = permission === null ? null : 'demo', assumptions = {}, loginBase = '' } = given;
  const sachet = testSachet({ assumptions });
  const token = user === null ? undefined : (await sachet.login(user, { base: loginBase })).token;
  await given.meanwhile?.(sachet);
  if (given.advance) await sachet.advance(given.advance);
  const { path, ...sent } = requestOf(id, given);
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...authorization, ...sent.headers };
  return { sachet, send: () => sachet.call(method, path, { ...sent, headers }) };
}
