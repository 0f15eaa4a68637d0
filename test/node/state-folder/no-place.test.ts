// What stands where a folder would be is refused with three ways out: it is left as it is.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openState } from '../../../src/stores/folder/state-folder.ts';
import { commandsIn, marked, newPath, stateOf } from '../../support/stored-states.ts';

const opening = (path: string) => openState(path, { sync: 'always', notify: () => undefined });

/** What a start says that finds no place for state. */
async function refusal(path: string): Promise<string> {
  const words = await opening(path).then(
    (state) => state.close().then(() => 'it opened'),
    ({ message }: Error) => message,
  );
  expect(words).toMatch(
    /^the state cannot be used: .*\nNothing was changed\. You have three options:\n {2}1\. .*\n {2}2\. .*\n {2}3\. /,
  );
  return words;
}

test.each<readonly [string, (path: string) => string]>([
  ['the folder', (path) => path],
  ['a folder above', (path) => join(path, 'state')],
])('a file in the place of %s is refused, and stays', async (_, stateIn) => {
  const path = newPath();
  writeFileSync(path, 'notes');
  expect(await refusal(stateIn(path))).toContain(`${stateIn(path)} cannot be used as a folder: `);
  expect(readFileSync(path, 'utf8')).toBe('notes');
});

test.each(['sandboxes', 'fixtures'])('a file in the place of the folder %s is refused, and stays', async (name) => {
  const path = newPath();
  mkdirSync(path);
  writeFileSync(join(path, name), 'notes');
  expect(await refusal(path)).toContain(name);
  expect(readFileSync(join(path, name), 'utf8')).toBe('notes');
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

test('a folder in the place of the lock is refused, and stays', async () => {
  const path = await marked(['one']);
  mkdirSync(join(path, 'lock'));
  expect(await refusal(path)).toContain(`${path} cannot be used as a folder: EISDIR`);
  rmdirSync(join(path, 'lock'));
  expect(await stateOf(path)).toEqual({ stage: { version: 2, marks: ['one'] } });
});
