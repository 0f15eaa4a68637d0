// Commands and programs that the console offers to copy, run by sh, curl, Node and Python.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as samples from '../../src/console/pages/code-samples.ts';
import { serve } from '../../src/node/index.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { folder, listening } from '../support/command.ts';
import { fixtures } from '../support/sachet.ts';

const run = promisify(execFile);
const curl = await run('curl', ['--version']).catch(() => undefined);
const json = { 'content-type': 'application/json' };

test.skipIf(!curl)('a curl command sends what was recorded', async () => {
  const received: object[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    received.push({ method: request.method, url: request.url, type: request.headers['content-type'], text });
    response.end();
  });
  const url = `http://127.0.0.1:${await listening(server)}`;
  const requests: Partial<samples.RecordedRequest>[] = [
    { text: '@/etc/hostname', headers: json },
    { text: `{"a": "it's $HOME \`date\`\n"}`, headers: json },
    { text: 'a body without a type' },
    { method: 'GET', query: '?x={a,b}&y=[1-3]' },
    { method: 'GET', path: '/v2/../orders/.' },
    { method: 'HEAD' },
    { method: 'DELETE' },
  ];
  for (const changes of requests) {
    const sent = { method: 'POST', path: '/v2/orders', query: '', headers: {}, text: null, ...changes };
    await run('sh', ['-c', samples.curlCommand(sent, url)], { env: { ...process.env, no_proxy: '*' } });
    const { method, path, query, headers, text } = sent as samples.RecordedRequest;
    expect(received.pop()).toEqual({ method, url: path + query, type: headers['content-type'], text: text ?? '' });
    expect(received).toEqual([]);
  }
});

test.each([
  ['sh', 'first-calls.sh', samples.firstCallsInCurl],
  [process.execPath, 'first-calls.mjs', samples.firstCallsInTypeScript],
  ['python3', 'first_calls.py', samples.firstCallsInPython],
] as const)('%s %s logs in, creates an order and lists fulfillments', async (command, file, programOf) => {
  const password = `it's "so" $HOME \\ \`\${1}\``;
  const users = fixtures.users.map((user) => ({ ...user, password }));
  await using server = await serve({});
  const sandbox = await server.createSandbox({ fixtures: { users } });
  const login = { username: 'demo', password };
  const program = programOf({ baseUrl: sandbox.baseUrl, login, order: sampleOrder() });
  const { stdout, stderr } = await run(command, [join(folder({ [file]: program }), file)]);
  expect(stderr).toBe('');
  expect(stdout).toContain('Pending');
  const { requests } = await sandbox.requests.list();
  const calls = ['authentication.token 200', 'orders.create 201', 'fulfillments.list 200'];
  expect(requests.map(({ operation, status }) => `${operation} ${status}`)).toEqual(calls);
});
