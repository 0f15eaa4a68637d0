// The cases that follow from how an operation is declared: its token, its body, its query, the id in its path, and
// the assumption that offers it.
import { filled, namesIn } from '../../src/contract/addresses.ts';
import type { Choices } from '../../src/contract/assumptions.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type OperationId, operationList, operations, type ServiceOperation } from '../../src/contract/operations.ts';
import { isDefaultChoice } from '../../src/contract/resolved-assumptions.ts';
import { fixtures, type TestSachet, testSachet } from '../support/sachet.ts';
import { type BodyRule, type Case, type CommonRule, invalid, type PathRule, type QueryRule } from './case.ts';
import { unknownId } from './requests.ts';

const dayInMilliseconds = 86_400_000;

/** Makes the client account of `demo` inactive. */
export async function closeAccount(sachet: TestSachet): Promise<void> {
  const [account] = fixtures.accounts;
  if (!account) throw new Error('the fixtures have an account');
  const sandbox = await sachet.sandbox();
  await sandbox.write((draft) => draft.table('accounts').replace({ ...account, active: false }));
}

/** Of the first login of a test's Sachet: its seed and its clock make it the same in each. */
const { refreshToken } = await testSachet().login();
const refreshFirst = (sachet: TestSachet) =>
  sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token: refreshToken } });

/** The choices by which every operation is offered. */
export const allOffered: Partial<Choices> = Object.fromEntries(
  operationList.flatMap(({ offeredBy }: Operation) => (offeredBy ? [[offeredBy, 'assumed']] : [])),
);

/** The case of each rule that the declaration brings. An operation's own case of such a rule comes in its place. */
export function sharedCases(operation: ServiceOperation): Readonly<Record<string, Case>> {
  const { method, path, permission, query, params, offeredBy }: Operation = operation;
  const offered = offering(operation, 'assumed');
  return {
    ...(permission === null ? {} : tokenCases(offered)),
    ...(method === 'GET' ? {} : bodyCases(offered)),
    ...(query ? queryCases(path, offered) : {}),
    ...(params ? pathCases(operation.id, offered) : {}),
    ...(offeredBy
      ? { [offeredBy]: { assumptions: offering(operation, 'absent'), refused: { status: 404, message: 'Not Found' } } }
      : {}),
  };
}

/** The assumption by which the operation is offered or not, if that is not the default. */
const offering = ({ offeredBy }: Pick<Operation, 'offeredBy'>, choice: 'assumed' | 'absent'): Partial<Choices> =>
  offeredBy && !isDefaultChoice(offeredBy, choice) ? { [offeredBy]: choice } : {};

/** With their own words for a token that is not expired, so that AUTH-3 is told from the others. */
function tokenCases(offered: Partial<Choices>): Record<CommonRule, Case> {
  const assumptions: Partial<Choices> = { ...offered, unauthorized_message: 'Invalid token' };
  const refused = { status: 401, message: 'Invalid token' };
  return {
    missing_token_message: {
      user: null,
      assumptions: offered,
      refused: { status: 401, message: 'Missing authentication' },
    },
    unauthorized_message: { request: { headers: { authorization: 'Bearer x.y.z' } }, assumptions, refused },
    'AUTH-3': { advance: dayInMilliseconds, assumptions, refused: { status: 401, message: 'Token expired' } },
    'AUTH-4': { loginBase: '/sandboxes/production', assumptions, refused },
    'AUTH-5': {
      user: 'no-permissions',
      assumptions,
      refused: { status: 403, message: 'Insufficient permissions' },
    },
    'AUTH-6': { meanwhile: closeAccount, assumptions, refused },
    old_token_after_refresh: {
      assumptions: { ...assumptions, old_token_after_refresh: 'ends' },
      meanwhile: refreshFirst,
      refused,
    },
  };
}

/** Bytes that are no JSON or do not inflate, and more bytes than are taken. */
const bodyCases = (assumptions: Partial<Choices>): Record<BodyRule, Case> => ({
  malformed_body: {
    assumptions,
    request: { raw: '{"consumer":' },
    refused: { status: 400, message: 'Invalid request payload JSON format' },
  },
  unsupported_media_type: {
    assumptions,
    request: { headers: { 'content-type': 'text/plain' }, raw: '{}' },
    refused: { status: 400, message: 'Unsupported Media Type' },
  },
  malformed_compression: {
    assumptions,
    request: { headers: { 'content-encoding': 'gzip' }, raw: '{}' },
    refused: { status: 400, message: 'Invalid compressed payload' },
  },
  body_too_large: {
    assumptions,
    request: { raw: `"${'x'.repeat(1_048_576 - 1)}"` },
    refused: { status: 400, message: 'Payload content length greater than maximum allowed: 1048576' },
  },
});

const queryCases = (path: string, assumptions: Partial<Choices>): Record<QueryRule, Case> => ({
  malformed_parameter: {
    assumptions,
    request: { path: `${path}?limit=0` },
    refused: invalid('limit', '"limit" must be greater than or equal to 1', 400),
  },
  over_max_limit: {
    assumptions: { ...assumptions, over_max_limit: 'reject' },
    request: { path: `${path}?limit=101` },
    refused: invalid('limit', '"limit" must be less than or equal to 100', 400),
  },
  unknown_fields: {
    assumptions,
    request: { path: `${path}?page=2` },
    refused: invalid('page', '"page" is not allowed', 400), // HTTP-4: path, then query (400)
  },
});

/** The path of an operation, with this id in it. */
const pathWith = (operation: OperationId, id: string): string => filled(operations[operation].path, () => id);

function pathCases(operation: OperationId, assumptions: Partial<Choices>): Record<PathRule, Case> {
  const [name = ''] = namesIn(operations[operation].path);
  return {
    malformed_path: {
      assumptions,
      request: { path: pathWith(operation, '%zz') },
      refused: { status: 400, message: 'Bad Request' },
    },
    malformed_path_id: {
      assumptions,
      request: { path: pathWith(operation, '42') },
      refused: invalid(name, `"${name}" must be a valid GUID`, 400),
    },
  };
}

/** The cases of a read of one record. `rule` refuses an unknown id, and `what` is the record's name in words. */
export const singleCases = <Rule extends string>(
  operation: OperationId,
  rule: Rule,
  what: string,
  foreignId: string,
): Record<Rule | 'foreign_resource', Case> => ({
  ...({
    [rule]: {
      request: { path: pathWith(operation, unknownId) },
      refused: { status: 404, message: `${what} not found` },
    },
  } as Record<Rule, Case>),
  foreign_resource: {
    assumptions: { foreign_resource: '403' },
    request: { path: pathWith(operation, foreignId) },
    refused: { status: 403, message: 'Insufficient permissions' },
  },
});
