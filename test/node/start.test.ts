// The built command starts, responds, rejects a wrong flag, and ends. The deep tests have the rest.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../src/node/platform.ts';
import { version } from '../../src/version.ts';
import { call, logIn, sachet, serving } from '../support/command.ts';
import { bareSachet, send } from '../support/sachet.ts';

test('starts with a ready record, responds, logs, and ends with 0 after SIGTERM', async () => {
  const server = await serving();
  const { ready } = server;
  expect(Object.keys(ready)).toEqual(['url', 'admin_key', 'console_url', 'username', 'password', 'pid']);
  expect(ready).toMatchObject({ username: 'demo', pid: server.child.pid });
  expect(ready.url).toMatch(/^http:\/\/localhost:[1-9]\d*$/);
  expect((await call('GET', `${ready.url}/health`)).body).toEqual({ status: 'ok', version });
  expect((await call('GET', `${ready.url}/v2/products`, { token: await logIn(ready) })).status).toBe(200);
  await server.until('line of the call', ({ stderr }) => stderr.includes('GET /v2/products 200'));
  server.child.kill('SIGTERM');
  expect(await server.ended()).toBe(0);
  expect(server.stdout).toMatch(/^\{.*\}\n$/);
});

test('rejects an unknown flag with 2 and one line', async () => {
  const command = sachet(['--prot', '4010']);
  expect([await command.ended(), command.stdout]).toEqual([2, '']);
  expect(command.stderr).toMatch(/^(?:sachet|error): [^\n]*--prot[^\n]*\n$/);
});

test('a line of the log stays one line, whatever a path contains', async () => {
  const paths = [
    '/_admin/sandboxes/x%0a00:00:00.000%20GET%20%2F/clock',
    '/_admin/sandboxes/%1b%5b2J/clock',
    '/_console/%0aX%1b%5b2J',
    '/_console/_top/%0a',
    '/sandboxes/%0d%0a/v2/products',
    '/sandboxes/%E2%80%A8/_docs',
  ];
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(`${text}`) > 0);
  onTestFinished(() => write.mockRestore());
  for (const path of paths) await send(bareSachet({ log: createLog('text') }), 'GET', path);
  expect(written).toEqual(paths.map(() => expect.stringMatching(/^[^\p{C}\p{Zl}\p{Zp}]+\n$/u)));
});
