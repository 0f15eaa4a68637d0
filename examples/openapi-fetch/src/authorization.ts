// Adds the session's token to each request. After a 401, gets a new token and retries the request once.
import type { Middleware } from 'openapi-fetch';
import type { Session } from './session.ts';

export const authorization = (session: Session): Middleware => ({
  async onRequest({ request }) {
    request.headers.set('Authorization', await session.authorization());
  },
  async onResponse({ request, response, options }) {
    if (response.status !== 401) return undefined;
    await session.renew(request.headers.get('Authorization'));
    request.headers.set('Authorization', await session.authorization());
    return options.fetch(request);
  },
});
