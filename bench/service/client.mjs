// The service as a client of the benchmark sees it: logs in, and makes the calls around the load.
import { call, jsonHeaders } from '../load/call.mjs';

/** Logs in with the server's ready login; gives the access token. `baseUrl` is that of a sandbox, or the server's. */
export async function logIn({ url, username, password }, baseUrl = url) {
  const body = JSON.stringify({ username, password });
  const answer = await call(`${baseUrl}/v2/authentication/token`, { method: 'POST', headers: jsonHeaders(), body });
  return JSON.parse(answer.body).access_token;
}

/** Reads a path of the service: `{ status, type, body }`, the body as text. */
export function read({ url }, token, path) {
  return call(`${url}${path}`, { headers: bearer(token) });
}

/** A call of the control API; a body is sent as JSON, and the answer's, where it has one, parsed. */
export async function control({ url, admin_key }, method, path, content) {
  const body = content === undefined ? '' : JSON.stringify(content);
  const answer = await call(`${url}/_admin${path}`, { method, headers: jsonHeaders(admin_key), body });
  return answer.body === '' ? undefined : JSON.parse(answer.body);
}

export function bearer(token) {
  return { authorization: `Bearer ${token}` };
}
