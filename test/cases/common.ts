// The cases that follow from the declaration of an operation: its token, its body, its query, the id in its path, and
// the assumption that offers it.
import { filled, namesIn } from '../../src/contract/addresses.ts';
import { type Assumption, assumptionIds, assumptionRegister, type Choices } from '../../src/contract/assumptions.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type OperationId, operationList, operations, type ServiceOperation } from '../../src/contract/operations.ts';
import { isDefaultChoice } from '../../src/contract/resolved-assumptions.ts';
import { day, fixtures, type TestSachet, testSachet } from '../support/sachet.ts';
import { type BodyRule, type Case, invalid, type PathRule, type QueryRule, type TokenRule } from './case.ts';
import { unknownId } from './requests.ts';

/** Makes the client account of `demo` inactive. */
export const closeAccount = ({ control }: Pick<TestSachet, 'control'>): Promise<unknown> =>
  control.sandbox('stage').records.accounts.update(fixtures.accounts[0]?.id ?? '', { active: false });

/** Of the first login of a test's Sachet: its seed and its clock make it the same in each. */
export const { refreshToken } = await testSachet().login();

/** The choices that offer every operation. */
export const allOffered: Partial<Choices> = Object.fromEntries(
  operationList.flatMap(({ offeredBy }: Operation) => (offeredBy ? [[offeredBy, 'assumed']] : [])),
);

/** Choices that together are all choices of all assumptions. */
export const roundsOfChoices: readonly Partial<Choices>[] = Array.from(
  { length: Math.max(...assumptionIds.map((id) => assumptionRegister[id].choices.length)) },
  (_, round) => {
    const choiceOf = ({ choices }: Assumption) => choices[round % choices.length]?.[0];
    return Object.fromEntries(assumptionIds.map((id) => [id, choiceOf(assumptionRegister[id])]));
  },
);

/** The path of an operation, with this id in it. */
const pathWith = (operation: OperationId, id: string): string => filled(operations[operation].path, () => id);

/** An operation's own case of such a rule replaces it. */
export function sharedCases({ id, ...declared }: ServiceOperation) {
  const { method, path, permission, query, params, offeredBy }: Omit<Operation, 'id'> = declared;
  const offering = (choice: 'assumed' | 'absent'): Partial<Choices> =>
    offeredBy && !isDefaultChoice(offeredBy, choice) ? { [offeredBy]: choice } : {};
  const assumptions = offering('assumed');
  // With its own message for a token that is not expired, so that AUTH-3 differs from the others.
  const invalidToken = {
    assumptions: { ...assumptions, unauthorized_message: 'Invalid token' },
    rejection: { status: 401, message: 'Invalid token' },
  } as const;
  const malformed = (request: Case['request'], message: string): Case => ({
    assumptions,
    ...(request && { request }),
    rejection: { status: 400, message },
  });
  const invalidQuery = (parameter: string, field: string, message: string): Case => ({
    assumptions,
    request: { path: `${path}?${parameter}` },
    rejection: invalid(field, message, 400),
  });

  const tokenCases: Record<TokenRule, Case> = {
    missing_token_message: { user: null, assumptions, rejection: { status: 401, message: 'Missing authentication' } },
    unauthorized_message: { ...invalidToken, request: { headers: { authorization: 'Bearer x.y.z' } } },
    'AUTH-3': { ...invalidToken, advance: day, rejection: { status: 401, message: 'Token expired' } },
    'AUTH-4': { ...invalidToken, loginBase: '/sandboxes/production' },
    'AUTH-5': { user: 'no-permissions', assumptions, rejection: { status: 403, message: 'Insufficient permissions' } },
    'AUTH-6': { ...invalidToken, meanwhile: closeAccount },
    old_token_after_refresh: {
      ...invalidToken,
      assumptions: { ...invalidToken.assumptions, old_token_after_refresh: 'ends' },
      meanwhile: (sachet) =>
        sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token: refreshToken } }),
    },
  };
  const [large, maximum] = [`"${'x'.repeat(1_048_576 - 1)}"`, 'Payload content length greater than maximum allowed'];
  const [text, compressed] = [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }];
  const bodyCases: Record<BodyRule, Case> = {
    malformed_body: malformed({ raw: '{"consumer":' }, 'Invalid request payload JSON format'),
    unsupported_media_type: malformed({ headers: text, raw: '{}' }, 'Unsupported Media Type'),
    malformed_compression: malformed({ headers: compressed, raw: '{}' }, 'Invalid compressed payload'),
    body_too_large: malformed({ raw: large }, `${maximum}: 1048576`),
  };
  const queryCases: Record<QueryRule, Case> = {
    malformed_parameter: invalidQuery('limit=0', 'limit', '"limit" must be greater than or equal to 1'),
    over_max_limit: {
      ...invalidQuery('limit=101', 'limit', '"limit" must be less than or equal to 100'),
      assumptions: { ...assumptions, over_max_limit: 'reject' },
    },
    unknown_fields: invalidQuery('page=2', 'page', '"page" is not allowed'), // HTTP-4: path, then query (400)
  };
  const [name = ''] = namesIn(path);
  const pathCases: Record<PathRule, Case> = {
    malformed_path: malformed({ path: pathWith(id, '%zz') }, 'Bad Request'),
    malformed_path_id: {
      assumptions,
      request: { path: pathWith(id, '42') },
      rejection: invalid(name, `"${name}" must be a valid GUID`, 400),
    },
  };
  return {
    ...(permission !== null && tokenCases),
    ...(method !== 'GET' && bodyCases),
    ...(query && queryCases),
    ...(params && pathCases),
    ...(offeredBy && {
      [offeredBy]: { assumptions: offering('absent'), rejection: { status: 404, message: 'Not Found' } },
    }),
  };
}

/** The cases of a call about one record, whose id is unknown (`rule`) or another client's. `what` names the record. */
export const singleCases = <Rule extends string>(operation: OperationId, rule: Rule, what: string, foreignId: string) =>
  ({
    [rule]: {
      request: { path: pathWith(operation, unknownId) },
      rejection: { status: 404, message: `${what} not found` },
    },
    foreign_resource: {
      assumptions: { foreign_resource: '403' },
      request: { path: pathWith(operation, foreignId) },
      rejection: { status: 403, message: 'Insufficient permissions' },
    },
  }) as Record<Rule | 'foreign_resource', Case>;
