// The address of the MCP server: keys, guards, methods, body limits, and clients of both protocol versions.
import { expect, test } from 'vitest';
import { bearer, controlled } from '../support/control.ts';
import { bareSachet, origin } from '../support/sachet.ts';
import { agentAt } from './support.ts';

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const accept = { accept: 'application/json, text/event-stream' };

test.each([
  [{}, /^MCP needs a key\. Send the admin key that the server printed when it started, or a sandbox's own key/],
  [bearer('wrong-key-1'), /^The key is neither the admin key nor the key of a sandbox\./],
])('with the headers %j it is 401', async (headers, message) => {
  const answer = await controlled().input('POST', '/_mcp', { body: initialize, headers: { ...accept, ...headers } });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  expect(answer.body.message).toMatch(message);
});

test('it answers with JSON, to any Accept, and with the headers that protect data', async () => {
  const { sachet } = controlled();
  const headers = { accept: '*/*', ...bearer(sachet.adminKey) };
  const answer = await sachet.call('POST', '/_mcp', { body: initialize, headers });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(JSON.parse(answer.text).result.serverInfo).toMatchObject({ name: 'sachet' });
});

test.each([
  ['another method', { method: 'GET' }, 405],
  ['a page of another origin', { headers: { origin: 'https://evil.example' } }, 403],
  ['an unknown host', { headers: { host: 'evil.example' } }, 403],
  ['a body of another type', { raw: '{}', headers: { 'content-type': 'text/plain' } }, 415],
  ['a body that is too large', { raw: `"${'x'.repeat(1_048_576)}"` }, 413],
  ['a body that is not JSON', { raw: '{' }, 400],
])('%s is refused', async (_, { method = 'POST', headers = {}, ...sent }: Sent, status) => {
  const { sachet, input } = controlled();
  const json = { 'content-type': 'application/json' };
  const all = { ...json, ...accept, ...bearer(sachet.adminKey), ...headers };
  const body = method === 'POST' && sent.raw === undefined ? { body: initialize } : {};
  const answer = await input(method, '/_mcp', { ...sent, ...body, headers: all });
  expect(answer.status, answer.text).toBe(status);
  if (status === 405) expect(answer.headers.get('allow')).toBe('POST');
});

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly raw?: string;
}

test('a batch is refused: protocol 2025-06-18 has no batches', async () => {
  const { fetch, adminKey } = bareSachet();
  const headers = { 'content-type': 'application/json', ...bearer(adminKey) };
  const answer = await fetch(`${origin}/_mcp`, { method: 'POST', headers, body: JSON.stringify([initialize]) });
  expect([answer.status, (await answer.json()).error.code]).toEqual([400, -32600]);
});

test('a client of the protocol of 2026 connects without a handshake', async () => {
  const { fetch, adminKey } = bareSachet();
  const { client, done } = await agentAt(fetch, adminKey, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  expect(client.getInstructions()).toContain('Start with create_sandbox');
  expect(await done('advance_clock', { by: 'PT1M' })).toContain('12:01:00');
  expect((await client.listPrompts()).prompts).toHaveLength(2);
});

test('an address near it gets a hint', async () => {
  const { headers } = await controlled().sachet.call('POST', '/mcp');
  expect(headers.get('sandbox-reason')).toContain('did you mean POST /_mcp?');
});
