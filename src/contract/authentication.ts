// POST /v2/authentication/token and /refresh-token (AUTH-1, AUTH-2).
import { z } from 'zod';
import { limits } from './limits.ts';
import { bodyRefusals, operation } from './operation.ts';
import { perAssumptions } from './resolved-assumptions.ts';
import { body, text } from './schema.ts';

const expiresIn = () => z.int().positive().meta({ description: 'Seconds until the access token expires.' });

/** The name of the security scheme in OpenAPI documents. */
export const bearerScheme = 'bearerAuth';

const accessToken = () => z.string().meta({ description: 'A JWT, sent as `Authorization: Bearer …`.' });
const refreshToken = () => z.string().meta({ description: 'A token to get a new access token without the password.' });

export const authenticationOperations = {
  'authentication.token': operation({
    operationId: 'logIn',
    method: 'POST',
    path: '/v2/authentication/token',
    summary: 'Log in',
    description: `The access token is valid for ${limits.accessTokenSeconds / 3600} hours, and only in this environment.`,
    permission: null,
    body: perAssumptions((assumptions) =>
      body(assumptions, { username: text('AUTH-1'), password: text('AUTH-1') }).meta({ id: 'Credentials' }),
    ),
    responses: {
      200: perAssumptions(() =>
        z
          .strictObject({ access_token: accessToken(), refresh_token: refreshToken(), expires_in: expiresIn() })
          .meta({ id: 'Token' }),
      ),
    },
    refusals: [...bodyRefusals, 'AUTH-1', 'OPEN-3', 'OPEN-4', 'OPEN-6', 'unknown_fields', 'bad_credentials'],
    shapedBy: ['refresh_token_lifetime'],
  }),
  'authentication.refresh': operation({
    operationId: 'refreshToken',
    method: 'POST',
    path: '/v2/authentication/refresh-token',
    summary: 'Get a new access token',
    description: 'Returns a new access token for a refresh token. Needs no password.',
    permission: null,
    body: perAssumptions((assumptions) => body(assumptions, { refresh_token: text('AUTH-2') }).meta({ id: 'Refresh' })),
    responses: {
      200: perAssumptions(() =>
        z.strictObject({ access_token: accessToken(), expires_in: expiresIn() }).meta({ id: 'RefreshedToken' }),
      ),
    },
    shapedBy: ['refresh_token_lifetime', 'old_token_after_refresh'],
    refusals: [
      ...bodyRefusals,
      'AUTH-2',
      'OPEN-3',
      'OPEN-4',
      'OPEN-6',
      'unknown_fields',
      'bad_refresh_token',
      'expired_refresh_token',
    ],
  }),
} as const;
