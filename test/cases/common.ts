// The refusals that every operation with a token has, and those that several resources share.
import type { Choices } from '../../src/contract/assumptions.ts';
import { fixtures, type TestSachet } from '../support/sachet.ts';
import type { Case, CommonRule } from './case.ts';

const dayInMilliseconds = 86_400_000;

/** Makes the client account of `demo` inactive. */
export async function closeAccount(sachet: TestSachet): Promise<void> {
  const [account] = fixtures.accounts;
  if (!account) throw new Error('the fixtures have an account');
  const sandbox = await sachet.sandbox();
  await sandbox.write((draft) => draft.table('accounts').replace({ ...account, active: false }));
}

/** With their own words for a token that is not expired, so that AUTH-3 is told from the others. */
export function commonCases(more: Partial<Choices> = {}): Readonly<Record<CommonRule, Case>> {
  const assumptions: Partial<Choices> = { ...more, unauthorized_message: 'Invalid token' };
  const refused = { status: 401, message: 'Invalid token' };
  return {
    unauthorized_message: { user: null, assumptions, refused },
    'AUTH-3': { advance: dayInMilliseconds, assumptions, refused: { status: 401, message: 'Token expired' } },
    'AUTH-4': { loginBase: '/sandboxes/production', assumptions, refused },
    'AUTH-5': {
      user: 'no-permissions',
      assumptions,
      refused: { status: 403, message: 'Insufficient permissions' },
    },
    'AUTH-6': { meanwhile: closeAccount, assumptions, refused },
  };
}

/** Bytes that are no JSON or do not inflate, and more bytes than are taken. */
export const bodyBytesCases = (assumptions: Partial<Choices> = {}) => ({
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
