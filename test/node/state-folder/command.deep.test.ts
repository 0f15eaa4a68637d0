// The built command over a state folder: exit code 78 for a folder that it cannot use, flags that only apply to new sandboxes, usage errors of
// the flags for stored state, and what is restored after a kill -9 and after an orderly end.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { controlClient } from '../../../src/client/control-client.ts';
import { stageOver } from '../../support/chaos-store.ts';
import { built, call, cleanEnvironment, folder, sachet, serving } from '../../support/command.ts';
import { sachetHere } from '../../support/command-here.ts';
import { changedFolder } from '../../support/fixture-files.ts';
import { someOrder } from '../../support/order-requests.ts';
import { changeLines, filesOf, logOf, marked, proposed, within } from './sandboxes-in-files.ts';

const adminKey = 'the-key-of-the-state-folder';
const ownKey = 'the-key-of-one-sandbox';
const quiet = ['--admin-key', adminKey, '--log', 'off'];

/** Starts a server over a folder. */
async function started(path: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const server = await serving([...quiet, ...args], { SACHET_STATE: path, ...env });
  const { url } = server.ready;
  const end = (signal: NodeJS.Signals) => {
    server.child.kill(signal);
    return server.ended();
  };
  return { ...server.ready, server, end, control: controlClient({ url, adminKey }) };
}

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
  const first = await started(path, ['--clock', before]);
  expect([await first.end('SIGTERM'), first.server.stderr]).toEqual([0, '']);
  expect(readFileSync(join(path, 'notes.txt'), 'utf8')).toBe('mine');

  const fixtures = changedFolder({ file: 'accounts.json', path: ['users', 0, 'password'], to: 'another-password' });
  const flags = ['--fixtures', fixtures, '--clock', after, '--assume', 'next_cursor=meta'];
  const { server, end, control, url, username, password } = await started(path, flags, { SACHET_SYNC: 'interval' });
  expect(server.stderr).toBe(
    'state: --fixtures, --assume, --clock: only new sandboxes use this; the 2 restored sandboxes keep their settings\n',
  );
  expect([username, password]).toEqual(['demo', 'sachet-demo']);
  expect((await control.create({ name: 'new' })).logins).toContainEqual({
    username: `${username}+new`,
    password: 'another-password',
  });
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
  expect(await end('SIGTERM')).toBe(0);

  const third = sachet(['--port', '0', '--state', path, ...quiet, '--sync', 'always', '--no-console-key']);
  await third.until('banner', ({ stdout }) => stdout.includes('Turn the rate limit off again:'));
  expect(third.stdout.split('\n')).toContain(`  state      ${path} (restored sandboxes: 3)`);
  expect(third.stdout).not.toContain(adminKey);
  expect(third.stderr).toBe('');
});

type Started = Awaited<ReturnType<typeof started>>;

/** The control of a sandbox, and calls of a partner there. */
function placeIn({ url, control }: Started, name: string) {
  const send = (method: string, path: string, sent?: Parameters<typeof call>[2]) =>
    call(method, `${url}/sandboxes/${name}/v2${path}`, sent);
  const login = { username: 'demo', password: 'sachet-demo' };
  const logIn = async () => (await send('POST', '/authentication/token', { body: login })).body;
  const refresh = async (refresh_token: string) =>
    (await send('POST', '/authentication/refresh-token', { body: { refresh_token } })).status;
  /** The statuses of that many GETs. */
  const statuses = async (token: string, path: string, count: number) => {
    const seen: number[] = [];
    while (seen.length < count) seen.push((await send('GET', path, { token })).status);
    return seen;
  };
  return { ...control.sandbox(name), send, logIn, refresh, statuses };
}

type Place = ReturnType<typeof placeIn>;

const stateOf = async ({ state }: Place) => ({ ...(await state.get()), exported_at: '' });

/** Bounds of how far the sandbox's time is ahead of the machine's, in milliseconds. */
async function aheadOf({ clock }: Place): Promise<{ readonly least: number; readonly most: number }> {
  const from = Date.now();
  const now = Date.parse((await clock.get()).now);
  return { least: now - Date.now() - 1, most: now - from + 1 };
}

/** Changes all that a sandbox keeps; the returned function expects it in the restored one. */
async function changed(place: Place): Promise<(restored: Place) => Promise<void>> {
  const { send, logIn, refresh, statuses, snapshots, records, singles, clock } = place;
  const [spent, { access_token: token, refresh_token: good }] = [(await logIn()).refresh_token, await logIn()];
  expect([await refresh(spent), await refresh(spent)]).toEqual([200, 401]);
  const { body } = await send('POST', '/orders', { token, body: someOrder() });
  const order = await send('GET', `/orders/${body.order.id}`, { token });
  expect(order.status).toBe(200);

  const atSnapshot = [await records.consumers.list(), await clock.get()];
  await snapshots.create({ name: 'base' });
  const listed = await snapshots.list();
  const last = (await records.consumers.list()).consumers.at(-1);
  await records.consumers.update(last?.id ?? '', { first_name: 'Another' });
  await clock.advance({ by: 'PT1H' });
  await singles.timeline.update({ shipped: { delay_seconds: 0, spread_seconds: 0 } });

  await place.switches.set({ rate_limit: { burst: 3, match: { operation: 'fulfillments.list' } } });
  expect(await statuses(token, '/fulfillments', 1)).toEqual([429]);
  await place.faults.create({ id: 'kept', status: 500, times: 3, match: { operation: 'products.list' } });
  expect(await statuses(token, '/products', 2)).toEqual([500, 500]);
  const before = await stateOf(place);
  return async (restored) => {
    expect(await stateOf(restored)).toEqual(before);
    expect((await restored.requests.list()).requests).toEqual([]);
    const outcomes = (await restored.report.get()).rules.map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(['not_exercised']));
    expect(await restored.send('GET', `/orders/${body.order.id}`, { token })).toEqual(order);
    expect([await restored.refresh(spent), await restored.refresh(good), await restored.refresh(good)]).toEqual([
      401, 200, 401,
    ]);
    expect(await restored.statuses(token, '/fulfillments', 3)).toEqual([429, 429, 200]);
    expect(await restored.faults.get('kept')).toMatchObject({ hits: 2, remaining: 1 });
    expect(await restored.statuses(token, '/products', 2)).toEqual([500, 200]);
    expect(await restored.snapshots.list()).toEqual(listed);
    await restored.snapshots.restore('base');
    expect([await restored.records.consumers.list(), await restored.clock.get()]).toEqual(atSnapshot);
  };
}

test.each([
  ['SIGKILL', 'always'],
  ['SIGTERM', 'interval'],
] as const)('after %s, with --sync %s, everything is there but the journal and the report', async (signal, sync) => {
  const path = folder();
  const server = await started(path, ['--sync', sync, '--assume', 'refresh_token_lifetime=single_use']);
  const settings = { clock: '2026-11-20T12:00:00Z', own_key: ownKey, ttl_seconds: 3600, environment: 'production' };
  await server.control.create({ name: 'kept', ...settings } as { name: string });
  const kept = placeIn(server, 'kept');
  await kept.send('GET', '/products', { token: 'none' });
  const expectKept = await changed(kept);
  const { base_url: _b, last_used_at: _l, ...sandbox } = await kept.get();
  expect(sandbox).toMatchObject({ environment: 'production', has_own_key: true, ttl_seconds: 3600 });
  await server.control.create({ name: 'running' });
  const running = placeIn(server, 'running');
  await running.clock.set({ now: '2030-01-01T00:00:00Z', frozen: false });
  const ahead = await aheadOf(running);
  // A sandbox that a login created.
  const login = { username: 'demo+w1', password: 'sachet-demo' };
  const { body } = await call('POST', `${server.url}/v2/authentication/token`, { body: login });
  expect(existsSync(join(path, 'lock'))).toBe(true);

  expect(await server.end(signal)).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 0);
  expect(readdirSync(path).includes('lock')).toBe(signal === 'SIGKILL');
  const next = await started(path, ['--sync', sync]);
  await expectKept(placeIn(next, 'kept'));
  const own = controlClient({ url: next.url, adminKey: ownKey });
  expect(await own.sandbox('kept').get()).toMatchObject(sandbox);
  await expect(own.sandbox('stage').get()).rejects.toMatchObject({ name: 'ControlError' });
  const after = await aheadOf(placeIn(next, 'running'));
  expect(Math.max(ahead.least, after.least)).toBeLessThanOrEqual(Math.min(ahead.most, after.most));
  expect(await next.control.sandbox('w1').get()).toMatchObject({ made_by_login: true });
  expect((await call('GET', `${next.url}/v2/products`, { token: body.access_token })).status).toBe(200);
});

test('a time to live starts again with the server, and then ends the sandbox', async () => {
  const path = folder();
  const server = await started(path);
  await server.control.create({ name: 'short', ttl_seconds: 1 });
  await server.end('SIGKILL');
  const next = await started(path);
  const names = async () => (await next.control.list()).sandboxes.map(({ name }) => name);
  await expect.poll(names).toEqual(['production', 'stage']);
  await next.end('SIGTERM');
  expect(existsSync(join(path, 'sandboxes/short.json'))).toBe(false);
});

test('a server that cannot save the latest changes ends with 1', async () => {
  const path = folder();
  const { server, end, control } = await started(path);
  rmSync(logOf(path));
  rmSync(join(path, 'sandboxes'), { recursive: true });
  writeFileSync(join(path, 'sandboxes'), '');
  await expect(control.sandbox('stage').clock.advance({ by: 'PT1H' })).rejects.toMatchObject({ status: 500 });
  expect(await end('SIGTERM')).toBe(1);
  expect(server.stderr).toContain('\nsachet: could not save the latest changes: ');
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
