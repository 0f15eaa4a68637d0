// The cases of login and refresh.

import { testSachet } from '../support/sachet.ts';
import { type Case, type CaseTable, invalid } from './case.ts';

const demo = { username: 'demo', password: 'sachet-demo' };
/** A token of the first login of a test's Sachet: its seed and its clock make it the same in each. */
const { refreshToken } = await testSachet({ assumptions: { refresh_token_lifetime: '24h' } }).login();

const refused = (body: unknown, field: string, message: string): Case => ({
  request: { body },
  refused: invalid(field, message),
});

export const authenticationCases = {
  'authentication.token': {
    'AUTH-1': refused({ username: 'demo' }, 'password', '"password" is required'),
    'OPEN-3': refused({ ...demo, password: 7 }, 'password', '"password" must be a string'),
    'OPEN-4': refused({ ...demo, username: '' }, 'username', '"username" is not allowed to be empty'),
    'OPEN-6': refused('demo', '', '"value" must be of type object'),
    unknown_fields: refused({ ...demo, grant_type: 'password' }, 'grant_type', '"grant_type" is not allowed'),
    bad_credentials: {
      request: { body: { ...demo, password: 'sachet' } },
      refused: { status: 401, message: 'Invalid username or password' },
    },
  },
  'authentication.refresh': {
    'AUTH-2': refused({}, 'refresh_token', '"refresh_token" is required'),
    'OPEN-3': refused({ refresh_token: null }, 'refresh_token', '"refresh_token" must be a string'),
    'OPEN-4': refused({ refresh_token: '' }, 'refresh_token', '"refresh_token" is not allowed to be empty'),
    'OPEN-6': refused([], '', '"value" must be of type object'),
    unknown_fields: refused({ refresh_token: 'x', scope: 'all' }, 'scope', '"scope" is not allowed'),
    expired_refresh_token: {
      assumptions: { unauthorized_message: 'Invalid token', refresh_token_lifetime: '24h' },
      advance: 86_400_000,
      request: { body: { refresh_token: refreshToken } },
      refused: { status: 401, message: 'Token expired' },
    },
    bad_refresh_token: {
      assumptions: { unauthorized_message: 'Invalid token' },
      request: { body: { refresh_token: 'no token' } },
      refused: { status: 401, message: 'Invalid token' },
    },
  },
} as const satisfies Partial<CaseTable>;
