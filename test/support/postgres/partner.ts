// A partner of servers that share a database: an engine's, in this process, or one that listens on a port.
import { type ControlClient, controlClient, type Fetch } from '../../../src/client/control-client.ts';
import type { Engine } from '../../../src/engine.ts';
import { passwordOf } from '../sachet.ts';
import { adminKey } from './stores.ts';

/** Where a server is asked. */
export interface Place {
  readonly url: string;
  readonly fetch: Fetch;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as a client does, field by field
  readonly body: any;
}

export const placeOf = ({ fetch }: Engine): Place => ({ url: 'http://localhost:4010', fetch });
export const placeAt = (url: string): Place => ({ url, fetch: globalThis.fetch });

export const controlOf = (place: Place): ControlClient => controlClient({ ...place, adminKey });

/** One call; `path` from the root of the server on. */
export async function call(
  { url, fetch }: Place,
  method: string,
  path: string,
  { token = '', body, signal }: { token?: string; body?: unknown; signal?: AbortSignal } = {},
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(url + path, { method, headers, ...sent, ...(signal && { signal }) });
  const text = await answer.text();
  return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

/** Posts a login; the tag of `demo+tag` is no part of the password. */
export const postLogin = (place: Place, username = 'demo', base = ''): Promise<Answer> =>
  call(place, 'POST', `${base}/v2/authentication/token`, { body: { username, password: passwordOf(username) } });

export async function logIn(place: Place, username = 'demo', base = ''): Promise<string> {
  const { body, text } = await postLogin(place, username, base);
  if (!body?.access_token) throw new Error(`the login of ${username} was refused: ${text}`);
  return body.access_token;
}
