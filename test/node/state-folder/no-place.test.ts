// What stands where a folder would be is refused with three ways out: a file or a folder is moved away by a command, anything else is left alone.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openState } from '../../../src/stores/folder/state-folder.ts';
import {
  backupOf,
  commandsIn,
  damageOf,
  follow,
  marked,
  newPath,
  putBack,
  stateOf,
} from '../../support/stored-states.ts';

const opening = (path: string) => openState(path, { sync: 'always', tell: () => undefined });

/** What a start says that finds no place for state. */
async function refusal(path: string): Promise<string> {
  const words = await opening(path).then(
    (state) => state.close().then(() => 'it opened'),
    ({ message }: Error) => message,
  );
  expect(words).toMatch(
    /^the state cannot be used: .*\nNothing was changed\. Three ways out:\n {2}1\. .*\n {2}2\. .*\n {2}3\. /,
  );
  return words;
}

test('a file in the place of the folder is moved away', async () => {
  const path = newPath();
  writeFileSync(path, 'notes');
  follow(await refusal(path), /^mv/);
  await (await opening(path)).close();
  expect([existsSync(path), readFileSync(`${path}.file`, 'utf8')]).toEqual([true, 'notes']);
});

test('a file in the place of a folder above is moved away', async () => {
  const parent = newPath();
  writeFileSync(parent, 'notes');
  const path = join(parent, 'state');
  follow(await refusal(path), /^mv/);
  await (await opening(path)).close();
  expect(existsSync(path)).toBe(true);
});

test('a file in the place of the folder of sandboxes is moved away, and nothing else is', async () => {
  const path = newPath();
  mkdirSync(path);
  writeFileSync(join(path, 'sandboxes'), 'notes');
  writeFileSync(join(path, 'mine.txt'), 'mine');
  follow(await refusal(path), /^mv/);
  await (await opening(path)).close();
  expect(readFileSync(join(path, 'mine.txt'), 'utf8')).toBe('mine');
});

test('what is no file and no folder is not proposed to be moved away', async () => {
  const [pipe, loop, nowhere, link] = Array.from({ length: 4 }, newPath) as [string, string, string, string];
  execFileSync('mkfifo', [pipe]);
  symlinkSync(loop, loop);
  symlinkSync(newPath(), nowhere);
  const file = newPath();
  writeFileSync(file, 'notes');
  symlinkSync(file, link);
  for (const path of [pipe, loop, nowhere, link]) {
    const words = await refusal(path);
    expect(words).toContain(`${path} cannot be used as a folder: `);
    expect(commandsIn(words)).toEqual([]);
  }
});

test.each<readonly [string, (path: string) => void, string]>([
  ['under a pipe', (path) => void execFileSync('mkfifo', [path]), 'state'],
  ['under a link that leads to itself', (path) => symlinkSync(path, path), 'state'],
  ['whose name is too long', (path) => void mkdirSync(path), 'x'.repeat(300)],
])('a folder %s is refused, and nothing is proposed to be moved away', async (_, make, name) => {
  const parent = newPath();
  make(parent);
  const path = join(parent, name);
  const words = await refusal(path);
  expect(words).toContain(`${path} cannot be used as a folder: `);
  expect(commandsIn(words)).toEqual([]);
});

test.each<readonly [string, (words: string, backup: string) => void]>([
  ['is moved away', (words) => follow(words, /^mv .*lock\.folder/)],
  ['goes with the folder when that is put back', putBack],
])('a folder in the place of the lock %s', async (_, go) => {
  const path = await marked(['one']);
  const backup = backupOf(path);
  mkdirSync(join(path, 'lock'));
  writeFileSync(join(path, 'lock/notes'), 'mine');
  const words = await refusal(path);
  expect(words).toContain(`${join(path, 'lock')} is a folder, where the lock would be`);
  go(words, backup);
  await (await opening(path)).close();
  expect(await stateOf(path)).toEqual({ stage: { version: 2, marks: ['one'] } });
  const kept = [`${path}/lock.folder/notes`, `${path}.damaged/lock/notes`].filter((place) => existsSync(place));
  expect(kept.map((place) => readFileSync(place, 'utf8'))).toEqual(['mine']);
});

test('a file in the place of a sandbox is moved away, and the others go on', async () => {
  const path = await marked(['one']);
  writeFileSync(join(path, 'sandboxes/other'), 'notes');
  const { message } = await damageOf(path);
  expect(message).toContain(`${join(path, 'sandboxes/other')} is a file, and should be a folder`);
  follow(message, /^mv /);
  expect(await stateOf(path)).toEqual({ stage: { version: 2, marks: ['one'] } });
});
