// The rules that reads share: lists by their query, single records by the id in the path.
import type { Choices } from '../../src/contract/assumptions.ts';
import { invalid } from './case.ts';
import { unknownId } from './requests.ts';

export const listCases = (path: string, assumptions: Partial<Choices> = {}) =>
  ({
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
  }) as const;

/** `at` makes the path for an id; `what` is the record's name in words. */
export const singleCases = (at: (id: string) => string, parameter: string, foreignId: string, what: string) =>
  ({
    malformed_path: { request: { path: at('%zz') }, refused: { status: 400, message: 'Bad Request' } },
    malformed_path_id: {
      request: { path: at('42') },
      refused: invalid(parameter, `"${parameter}" must be a valid GUID`, 400),
    },
    notFound: { request: { path: at(unknownId) }, refused: { status: 404, message: `${what} not found` } },
    foreign_resource: {
      assumptions: { foreign_resource: '403' },
      request: { path: at(foreignId) },
      refused: { status: 403, message: 'Insufficient permissions' },
    },
  }) as const;
