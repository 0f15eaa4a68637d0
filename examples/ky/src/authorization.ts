// Adds the session's token to each request. After a 401, gets a new token and retries the request once.
import ky, { type Hooks } from 'ky';
import type { Session } from './session.ts';

export const authorization = (session: Session): Hooks => ({
  beforeRequest: [
    async ({ headers }) => {
      headers.set('Authorization', await session.authorization());
    },
  ],
  afterResponse: [
    async ({ headers }, { context }, { status }) => {
      if (status !== 401 || context.renewed) return undefined;
      context.renewed = true;
      await session.renew(headers.get('Authorization'));
      return ky.retry({ delay: 0, code: 'TOKEN_RENEWED' });
    },
  ],
});
