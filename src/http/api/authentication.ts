// Handlers of the two authentication endpoints (AUTH-1, AUTH-2): the domain decides the claims, here they are signed.
import { expiresIn, logIn, refresh } from '../../domain/tokens.ts';
import type { HandlersFor } from './handlers-for.ts';

export const authenticationHandlers: HandlersFor<'authentication.token' | 'authentication.refresh'> = {
  'authentication.token': async (call, { body }) => {
    const username = call.username ?? body.username;
    const { access, refresh } = await call.write((world) => logIn(world, { ...body, username }));
    const sign = (claims: typeof access) => call.edge.tokens.sign(call.identity, claims);
    const [access_token, refresh_token] = await Promise.all([sign(access), sign(refresh)]);
    return { status: 200, body: { access_token, refresh_token, expires_in: expiresIn(access) } };
  },
  'authentication.refresh': async (call, { body }) => {
    const presented = await call.edge.tokens.verify(call.identity, body.refresh_token);
    const claims = await call.write((world) => refresh(world, presented));
    const access_token = await call.edge.tokens.sign(call.identity, claims);
    return { status: 200, body: { access_token, expires_in: expiresIn(claims) } };
  },
};
