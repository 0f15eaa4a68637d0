// A request as a curl command: what it sends is what came.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { curlCommand, type RecordedRequest } from '../../src/console/pages/code-samples.ts';

const isThere = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
);
const json = { 'content-type': 'application/json' };

test.for<[string, Partial<RecordedRequest>]>([
  ['a body that would name a file', { text: '@/etc/hostname', headers: json }],
  ['quotes, dollars, backticks and new lines', { text: `{"a": "it's $HOME \`date\`\n"}`, headers: json }],
  ['a number that is larger than a double', { text: '{"a": 12345678901234567890, "a": 1}', headers: json }],
  ['a body without a type', { text: 'plain', headers: {} }],
  ['what curl takes for a pattern', { method: 'GET', query: '?x={a,b}&y=[1-3]', text: null }],
  ['dots in the path', { method: 'GET', path: '/v2/../orders/.', text: null }],
  ['a HEAD', { method: 'HEAD', text: null }],
  ['no body', { method: 'DELETE', text: null }],
])('%s', async ([_, given], { skip }) => {
  if (!isThere) skip('curl is missing');
  const sent: RecordedRequest = { method: 'POST', path: '/v2/orders', query: '', headers: {}, text: null, ...given };
  expect(await received(sent)).toEqual({
    method: sent.method,
    url: sent.path + sent.query,
    type: sent.headers['content-type'],
    text: sent.text ?? '',
  });
});

/** What a server gets when the command is pasted. */
async function received(sent: RecordedRequest) {
  const got: object[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    got.push({ method: request.method, url: request.url, type: request.headers['content-type'], text });
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const command = curlCommand(sent, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, no_proxy: '*' } });
  expect(got).toHaveLength(1);
  return got[0];
}

test('asks for the token and for what is redacted', () => {
  const headers = { ...json, authorization: 'Bearer [redacted 12345678]' };
  const sent: RecordedRequest = {
    method: 'POST',
    path: '/v2/orders',
    query: '',
    headers,
    text: '{"a":"[redacted 1]"}',
  };
  const command = curlCommand(sent, 'http://localhost:4010');
  expect(command).toContain('-H "Authorization: Bearer $TOKEN"');
  expect(command).toContain('# TOKEN is an access_token');
  expect(command).toContain('# Replace each [redacted …] with the secret');
});
