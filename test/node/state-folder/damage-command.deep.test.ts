// The built command over what it cannot use: it ends with 78, says on standard error alone what is wrong and three ways out, and changes nothing.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stageOver } from '../../support/chaos-sandboxes.ts';
import { built, call, cleanEnvironment, folder, logIn, sachet, serving } from '../../support/command.ts';
import {
  commandsIn,
  documentOf,
  filesOf,
  follow,
  logOf,
  marked,
  newPath,
  relined,
  within,
} from '../../support/stored-states.ts';

const marks = ['one', 'two', 'three', 'four'];

/** Starts the command over a folder, which it refuses: with 78, on standard error alone. */
async function refused(path: string): Promise<string> {
  const running = sachet(['--port', '0', '--json', '--state', path]);
  expect([await running.ended(), running.stdout]).toEqual([78, '']);
  expect(running.stderr).toMatch(
    /^sachet: the state cannot be used: .*\nNothing was changed\. You have three options:\n {2}1\. .*\n {2}2\. .*\n {2}3\. .*\n$/,
  );
  return running.stderr;
}

test('the command ends with 78 for damage, and leaves the folder as it was', async () => {
  const path = await marked(marks);
  const file = logOf(path);
  relined(file, (lines) => lines.toSpliced(2, 1));
  const before = filesOf(path);
  expect(await refused(path)).toContain(`${file}: line 3, at byte`);
  expect(filesOf(path)).toEqual(before);
});

test('the command ends with 78 for a file in the place of the folder, or of one above', async () => {
  const path = newPath();
  writeFileSync(path, 'notes');
  expect(await refused(path)).toContain(path);
  expect(await refused(join(path, 'state/deeper'))).toContain(join(path, 'state/deeper'));
  expect(readFileSync(path, 'utf8')).toBe('notes');
});

test('an empty folder is a new one, and what others have in it is left alone', async () => {
  const path = folder({ 'notes.txt': 'mine', 'state.json.tmp': 'mine' });
  mkdirSync(join(path, 'photos'));
  writeFileSync(join(path, 'photos/.new-stage'), 'mine');
  const server = await serving(['--state', path]);
  const token = await logIn(server.ready);
  expect((await call('GET', `${server.ready.url}/v2/orders`, { token })).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.ended()).toBe(0);
  const files = filesOf(path);
  const mine = Object.keys(files).filter((name) => files[name] === 'mine');
  expect(mine).toEqual(['notes.txt', 'photos/.new-stage', 'state.json.tmp']);
  expect(existsSync(documentOf(path))).toBe(true);
  const empty = await serving(['--state', folder()]);
  expect(empty.stderr).not.toContain('state:');
});

const nobody = { uid: 65_534, gid: 65_534 };
const startsNobody = process.getuid?.() === 0 && spawnSync('test', ['-r', built()], nobody).status === 0;
const testAsNobody = test.skipIf(!startsNobody);
const lacks = 'only root can start another user, who must be let to read the checkout';

/** The command as a user who has nothing here. */
const argumentsFor = (path: string): string[] => [built(), '--port', '0', '--json', '--state', path];

function refusedNobody(path: string): string {
  const options = { ...nobody, env: cleanEnvironment(), encoding: 'utf8', timeout: 20_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, argumentsFor(path), options);
  expect([status, stdout], stderr).toEqual([78, '']);
  return stderr;
}

async function startsForNobody(path: string): Promise<void> {
  const child = spawn(process.execPath, argumentsFor(path), { ...nobody, env: cleanEnvironment() });
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = await Promise.race([
    once(child.stdout, 'data').then(([text]) => `${text}`),
    ended.then(() => 'it ended'),
  ]);
  child.kill('SIGTERM');
  await ended;
  expect(said).toContain('"url"');
}

/** A folder to be made where anybody may pass through. */
function passable(): string {
  const path = folder();
  chmodSync(path, 0o755);
  return join(path, "it's here");
}

/** State as the command keeps it, of root. */
async function served(): Promise<string> {
  const path = passable();
  await within(path, stageOver);
  return path;
}

testAsNobody(`a folder of somebody else ends with 78, and is let in by the way out (${lacks})`, async () => {
  const path = await served();
  chmodSync(path, 0o700);
  const words = refusedNobody(path);
  expect(words).toContain(`${path}: EACCES`);
  follow(words, /^chown -R 65534 /);
  await startsForNobody(path);
});

testAsNobody(`a file that may not be read ends with 78, which names it (${lacks})`, async () => {
  const path = await served();
  spawnSync('chown', ['-R', '65534', path]);
  spawnSync('chown', ['root', logOf(path)]);
  expect(refusedNobody(path)).toContain(logOf(path));
  follow(refusedNobody(path), /^chown -R 65534 /);
  await startsForNobody(path);
});

testAsNobody(`a folder that may not be made ends with 78, and is made by the way out (${lacks})`, async () => {
  const path = passable();
  const words = refusedNobody(path);
  expect(commandsIn(words)).not.toEqual([]);
  follow(words, /chown -R 65534 /);
  await startsForNobody(path);
});
