// Every operation of the service, answered and refused in each way, and logins.
import { operationList } from '../../../src/contract/operations.ts';
import { goodRequests, type TokenOperation, unknownId } from '../../cases/requests.ts';
import { type Cases, list } from './cases.ts';
import { type Parts, posted, request } from './requests.ts';

const methodOf = (id: string) => operationList.find((operation) => operation.id === id)?.method ?? 'GET';
const tokenOperations = Object.entries(goodRequests) as [TokenOperation, { path: string; body?: unknown }][];

const called = (id: string, path: string, body: unknown, parts: Parts = {}): string => {
  const line = `${methodOf(id)} ${path}`;
  if (body !== undefined) return posted(line, body, parts);
  return methodOf(id) === 'GET' ? request(line, parts) : request(line, { ...parts, body: '' });
};

export const operations: Cases = list(
  tokenOperations.flatMap(([id, { path, body }]) => {
    const elsewhere = path.replace(/[0-9a-f-]{36}/, unknownId);
    const odd = path.replace(/[0-9a-f-]{36}/, 'no-id');
    return [
      [id, called(id, path, body)],
      [`${id} again`, called(id, path, body)],
      [`${id}, without a token`, called(id, path, body, { token: '' })],
      [`${id}, with a bad token`, called(id, path, body, { token: '', headers: ['Authorization: Bearer a.b.c'] })],
      [`${id}, without permission`, called(id, path, body, { token: '@nobody' })],
      [`${id}, with the token of another sandbox`, called(id, path, body, { token: '@elsewhere' })],
      [`${id}, of what there is not`, called(id, elsewhere, body)],
      [`${id}, of what is no id`, called(id, odd, body)],
      [`${id}, in a sandbox`, called(id, `/sandboxes/stage${path}`, body)],
      [`${id}, in another sandbox`, called(id, `/sandboxes/production${path}`, body)],
      [`${id}, in no sandbox`, called(id, `/sandboxes/nobody${path}`, body)],
      [`${id}, with a query`, called(id, `${path}?limit=2&limit=3&x=&=&y`, body)],
      [`${id}, with an empty body`, called(id, path, body === undefined ? undefined : {})],
      [`${id}, with another's body`, called(id, path, body === undefined ? undefined : [1])],
    ] as [string, string][];
  }),
);

const token = '/v2/authentication/token';
const password = 'sachet-demo';
export const authentication: Cases = {
  'a login': posted(`POST ${token}`, { username: 'demo', password }, { token: '' }),
  'a login with a tag': posted(`POST ${token}`, { username: 'demo+road', password }, { token: '' }),
  'the same again': posted(`POST ${token}`, { username: 'demo+road', password }, { token: '' }),
  'a login with a wrong password': posted(`POST ${token}`, { username: 'demo', password: 'x' }, { token: '' }),
  'a tag with a wrong password': posted(`POST ${token}`, { username: 'demo+none', password: 'x' }, { token: '' }),
  'a login without a password': posted(`POST ${token}`, { username: 'demo' }, { token: '' }),
  'a login in a sandbox': posted(`POST /sandboxes/production${token}`, { username: 'demo', password }, { token: '' }),
  'a refresh with a bad token': posted('POST /v2/authentication/refresh', { refresh_token: 'x' }, { token: '' }),
  'a refresh with an access token': posted(
    'POST /v2/authentication/refresh',
    { refresh_token: '@demo' },
    { token: '' },
  ),
};
