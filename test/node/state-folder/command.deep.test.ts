// The built command over a state folder: exit code 78 for a folder that it cannot use, flags that only apply to new sandboxes, and usage errors
// of the flags for stored state.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { controlClient } from '../../../src/client/control-client.ts';
import { stageOver } from '../../support/chaos-store.ts';
import { built, call, cleanEnvironment, folder, sachet, serving } from '../../support/command.ts';
import { sachetHere } from '../../support/command-here.ts';
import { changedFolder } from '../../support/fixture-files.ts';
import { changeLines, filesOf, logOf, marked, proposed, within } from './sandboxes-in-files.ts';

const adminKey = 'the-key-of-the-state-folder';
const quiet = ['--admin-key', adminKey, '--log', 'off'];

test('damage ends the start with 78, three options, and changes nothing', async () => {
  const path = await marked(['one', 'two', 'three', 'four']);
  changeLines(logOf(path), (lines) => lines.toSpliced(2, 1));
  const before = filesOf(path);
  const command = sachet(['--port', '0', '--json', '--state', path]);
  expect([await command.ended(), command.stdout]).toEqual([78, '']);
  expect(command.stderr).toMatch(
    /^sachet: the state cannot be used: .*\nNothing was changed\. You have three options:\n {2}1\. .*\n {2}2\. .*\n {2}3\. .*\n$/,
  );
  expect(command.stderr).toContain(`${logOf(path)}: line 3, at byte`);
  expect(filesOf(path)).toEqual(before);
});

const nobody = { uid: 65_534, gid: 65_534, env: cleanEnvironment() };
const canStartNobody = process.getuid?.() === 0 && spawnSync('test', ['-r', built()], nobody).status === 0;

test.skipIf(!canStartNobody)('a folder of another user ends with 78; the proposed chown makes it usable', async () => {
  const argumentsFor = (path: string): string[] => [built(), '--port', '0', '--json', '--state', path];
  /** A path in a folder that every user may enter. */
  const reachable = () => {
    const parent = folder();
    chmodSync(parent, 0o755);
    return join(parent, "it's here");
  };
  const foreign = reachable();
  await within(foreign, stageOver);
  chmodSync(foreign, 0o700);
  const rejected = spawnSync(process.execPath, argumentsFor(foreign), { ...nobody, encoding: 'utf8', timeout: 20_000 });
  expect([rejected.status, rejected.stdout]).toEqual([78, '']);
  expect(rejected.stderr).toContain(`${foreign}: EACCES`);
  spawnSync('sh', ['-c', proposed(rejected.stderr, /chown -R 65534 /)]);
  const child = spawn(process.execPath, argumentsFor(foreign), nobody);
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const [text] = await Promise.race([once(child.stdout, 'data'), ended.then(() => ['it ended'])]);
  expect(`${text}`).toContain('"url"');
  child.kill('SIGTERM');
  await ended;
});

test('with other flags, restored sandboxes keep their settings, new ones use the flags, and a note says so', async () => {
  const path = folder({ 'notes.txt': 'mine' });
  mkdirSync(join(path, 'photos'));
  const [before, after] = ['2026-11-20T12:00:00.000Z', '2031-01-01T00:00:00.000Z'];
  const first = await serving(['--state', path, ...quiet, '--clock', before]);
  first.child.kill('SIGTERM');
  expect([await first.ended(), first.stderr]).toEqual([0, '']);
  expect(readFileSync(join(path, 'notes.txt'), 'utf8')).toBe('mine');

  const fixtures = changedFolder({ file: 'accounts.json', path: ['users', 0, 'password'], to: 'another-password' });
  const flags = ['--fixtures', fixtures, '--clock', after, '--assume', 'next_cursor=meta'];
  const second = await serving([...quiet, ...flags], { SACHET_STATE: path, SACHET_SYNC: 'interval' });
  const { url, username, password } = second.ready;
  expect(second.stderr).toBe(
    'state: --fixtures, --assume, --clock: only new sandboxes use this; the 2 restored sandboxes keep their settings\n',
  );
  expect([username, password]).toEqual(['demo', 'sachet-demo']);
  const control = controlClient({ url, adminKey });
  expect((await control.create({ name: 'new' })).logins).toContainEqual({ username, password: 'another-password' });
  const settingsOf = async (name: string) => {
    const { clock, assumptions } = control.sandbox(name);
    const logins = ['sachet-demo', 'another-password'].map((each) =>
      call('POST', `${url}/sandboxes/${name}/v2/authentication/token`, { body: { username, password: each } }),
    );
    const statuses = (await Promise.all(logins)).map(({ status }) => status);
    return [(await clock.get()).now, (await assumptions.get()).next_cursor, ...statuses];
  };
  expect(await settingsOf('stage')).toEqual([before, 'body', 200, 401]);
  expect(await settingsOf('new')).toEqual([after, 'meta', 401, 200]);
  expect(existsSync(join(path, 'lock'))).toBe(true);
  second.child.kill('SIGTERM');
  expect(await second.ended()).toBe(0);

  const third = sachet(['--port', '0', '--state', path, ...quiet, '--sync', 'always']);
  await third.until('banner', ({ stdout }) => stdout.includes('Create an order:'));
  expect(third.stdout.split('\n')).toContain(`  state      ${path} (restored sandboxes: 3)`);
  expect(third.stderr).toBe('');
});

const secret = 'told-to-nobody';
const database = `postgres://somebody:${secret}@127.0.0.1:1/sachet`;
const notUrl = 'is not the URL of a database';

test.each([
  [['--sync', 'interval'], {}, 'sync "interval" (--sync, SACHET_SYNC) needs a state folder: --state <dir>'],
  [['--state', '/nowhere'], { SACHET_SYNC: 'never' }, "'never' from env 'SACHET_SYNC'"],
  [['--state', '/nowhere', '--store', database, ...quiet], {}, 'or a database (--store, SACHET_STORE), not both'],
  [['--store', database.replace(secret, `7/${secret}`), ...quiet], {}, notUrl],
  [['--store', database], {}, 'the same on every server that shares the database'],
  [['store', 'migrate', '--store', secret], {}, notUrl],
  [['store', 'migrate'], {}, 'no database; pass its URL with --store'],
])('%j with %j is a usage error that does not show a password', async (args, env, message) => {
  const command = sachetHere(args, env);
  expect([await command.ended(), command.stdout]).toEqual([2, '']);
  expect(command.stderr).toContain(message);
  expect(command.stderr).not.toContain(secret);
});
