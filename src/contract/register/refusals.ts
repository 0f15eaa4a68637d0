// Gaps about refusals and tokens: statuses, words, and where they stand.
import type { Assumption } from './assumption.ts';

export const refusalAssumptions = {
  validation_placement: {
    question: 'where a validation message stands ("in details or message")',
    choices: [
      ['both', "message = the first detail's message, details = all"],
      ['details', 'message `Validation failed`, details = all'],
      ['message', 'the first message, no details'],
      ['joined', 'message = all, joined by `. `; no details'],
    ],
  },
  validation_report: {
    question: 'whether all faults are reported or the first',
    choices: [
      ['all', 'one per field'],
      ['first', 'the first only'],
    ],
  },
  field_path: {
    question: 'how an array index is written in `details[].field`',
    choices: [
      ['dotted', '`order_lines.0.pouches`'],
      ['brackets', '`order_lines[0].pouches`'],
    ],
  },
  business_rule_status: {
    question: 'the status of ORD-11 and ORD-17 to ORD-23',
    choices: [
      ['422', 'the validation status'],
      ['400', 'bad request'],
      ['per_kind', 'not found 404, of another client 403, state conflicts 400, the rest 422'],
    ],
  },
  order_created_status: {
    question: 'the status of a created order',
    choices: [
      ['201', 'resource created'],
      ['200', 'success'],
    ],
  },
  malformed_body: {
    question: 'the status for a body that is no JSON, by its bytes, its type or its compression',
    choices: [
      ['400', 'bad request'],
      ['422', 'validation error'],
    ],
  },
  malformed_parameter: {
    question: 'the status for a query value of the wrong form',
    choices: [
      ['400', 'bad request'],
      ['422', 'validation error'],
    ],
  },
  malformed_path_id: {
    question: 'the answer to a path id that is no UUID',
    choices: [
      ['400', '`"id" must be a valid GUID`, by the parameter\'s name'],
      ['404', 'as an unknown id'],
      ['422', 'as 400, with this status'],
    ],
  },
  unauthorized_message: {
    question: 'the words for a token that is invalid or absent rather than expired',
    choices: [
      ['Token expired', 'as an expired one'],
      ['Invalid token', 'its own words'],
      ['Unauthorized', 'the status name'],
    ],
  },
  bad_credentials: {
    question: 'the answer to a wrong username or password, or an inactive account',
    choices: [
      ['401', '`Invalid username or password`'],
      ['400', 'the same words'],
      ['403', 'the same words'],
    ],
  },
  bad_refresh_token: {
    question: 'the status for a refresh token that is not good',
    choices: [
      ['401', 'unauthorized'],
      ['400', 'bad request'],
    ],
  },
  refresh_token_lifetime: {
    question: 'the lifetime of the refresh token',
    choices: [
      ['30d', '30 days'],
      ['24h', '24 hours'],
      ['never', 'it does not expire'],
      ['single_use', '30 days, good for one refresh'],
    ],
  },
} as const satisfies Record<string, Assumption>;
