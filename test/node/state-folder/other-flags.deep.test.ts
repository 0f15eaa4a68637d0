// Other flags over a folder from before: what is there stays as it is, new sandboxes begin by the flags, and the start says so.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { controlClient } from '../../../src/client/control-client.ts';
import { call, folder, type Ready, root, sachet, serving } from '../../support/command.ts';

const adminKey = 'the-key-of-the-state-folder';
const quiet = ['--admin-key', adminKey, '--log', 'off'];
const before = '2026-11-20T12:00:00.000Z';
const since = '2031-01-01T00:00:00.000Z';
const other = 'another-password';

/** The shipped fixtures, but with another password for demo. */
function otherFixtures(): string {
  const path = folder();
  cpSync(join(root, 'fixtures'), path, { recursive: true });
  const file = join(path, 'accounts.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"sachet-demo"', JSON.stringify(other)));
  return path;
}

const otherFlags = () => ['--fixtures', otherFixtures(), '--clock', since, '--assume', 'next_cursor=meta'];

const started = (path: string, args: readonly string[] = []) => serving(['--state', path, ...quiet, ...args]);

/** A folder that a server has begun with its own flags, and left. */
async function begun(): Promise<string> {
  const path = join(folder(), 'state');
  const server = await started(path, ['--clock', before]);
  server.child.kill('SIGTERM');
  expect([await server.ended(), server.stderr]).toEqual([0, '']);
  return path;
}

const enters = async ({ url }: Ready, name: string, password: string) =>
  (await call('POST', `${url}/sandboxes/${name}/v2/authentication/token`, { body: { username: 'demo', password } }))
    .status;

test('stage is as it was, and the ready record tells the login that it has', async () => {
  const { ready } = await started(await begun(), otherFlags());
  const stage = controlClient({ url: ready.url, adminKey }).sandbox('stage');
  expect(ready).toMatchObject({ username: 'demo', password: 'sachet-demo' });
  expect([await enters(ready, 'stage', 'sachet-demo'), await enters(ready, 'stage', other)]).toEqual([200, 401]);
  expect(await stage.clock.get()).toMatchObject({ now: before });
  expect(await stage.assumptions.get()).not.toMatchObject({ next_cursor: 'meta' });
});

test('a sandbox that is made from now on begins by the new flags', async () => {
  const { ready } = await started(await begun(), otherFlags());
  const control = controlClient({ url: ready.url, adminKey });
  expect((await control.create({ name: 'new' })).logins).toContainEqual({ username: 'demo', password: other });
  expect([await enters(ready, 'new', other), await enters(ready, 'new', 'sachet-demo')]).toEqual([200, 401]);
  const made = control.sandbox('new');
  expect(await made.clock.get()).toMatchObject({ now: since });
  expect(await made.assumptions.get()).toMatchObject({ next_cursor: 'meta' });
});

test('one line says which flags hold for new ones alone', async () => {
  const { stderr } = await started(await begun(), otherFlags());
  expect(stderr).toBe(
    'state: --fixtures, --assume, --clock: only new sandboxes use this; the 2 restored sandboxes keep their settings\n',
  );
});

test.each([
  ['without such flags', begun, () => ['--sync', 'always']],
  ['over a new folder', async () => join(folder(), 'new'), otherFlags],
])('there is no such line %s', async (_, path, args) => {
  const server = await started(await path(), args());
  server.child.kill('SIGTERM');
  expect([await server.ended(), server.stderr]).toEqual([0, '']);
});

test.each([
  ['a new folder', 0, async () => join(folder(), 'new')],
  ['one from before', 2, begun],
])('the banner tells the folder: %s', async (_, count, at) => {
  const path = await at();
  const server = sachet(['--port', '0', '--state', path, ...quiet]);
  await server.until('banner', ({ stdout }) => stdout.includes('Create an order:'));
  expect(server.stdout.split('\n')).toContain(`  state      ${path} (restored sandboxes: ${count})`);
});

test('without a folder the banner tells of none', async () => {
  const server = sachet(['--port', '0', ...quiet]);
  await server.until('banner', ({ stdout }) => stdout.includes('Create an order:'));
  expect(server.stdout).not.toContain('state  ');
});

const noFolder = 'sync "interval" (--sync, SACHET_SYNC) needs a state folder: --state <dir>';

test.each([
  ['--sync without a folder', ['--sync', 'interval'], {}, noFolder],
  ['SACHET_SYNC without a folder', [], { SACHET_SYNC: 'interval' }, noFolder],
  ['--sync never', ['--state', '/nowhere', '--sync', 'never'], {}, "'never' is invalid"],
  ['SACHET_SYNC=never', [], { SACHET_STATE: '/nowhere', SACHET_SYNC: 'never' }, "'never' from env 'SACHET_SYNC'"],
])('%s is a usage error', async (_, args, env, words) => {
  const command = sachet(['--port', '0', ...args], env);
  expect(await command.ended()).toBe(2);
  expect(command.stderr).toContain(words);
});

test('SACHET_STATE and SACHET_SYNC name the folder and when a write stands there', async () => {
  const path = await begun();
  const { ready, child, ended } = await serving(quiet, { SACHET_STATE: path, SACHET_SYNC: 'interval' });
  expect(existsSync(join(path, 'lock'))).toBe(true);
  const stage = controlClient({ url: ready.url, adminKey }).sandbox('stage');
  expect(await stage.clock.get()).toMatchObject({ now: before });
  child.kill('SIGTERM');
  expect(await ended()).toBe(0);
});
