// Each way out of damage that is a command, done in a shell as it stands: afterwards the folder opens, and has what the way out promised.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../support/command.ts';
import {
  backupOf,
  commandsIn,
  damageOf,
  early,
  fileOf,
  filesOf,
  flip,
  folded,
  follow,
  goOn,
  marked,
  newPath,
  putBack,
  stateOf,
} from '../../support/stored-states.ts';

/** Where this text first stands in a file. */
const placeOf = (file: string, text: string): number => readFileSync(file).indexOf(text);

test('a log is kept up to the version before the damage', async () => {
  const path = await folded();
  const file = fileOf(path, 'changes.log');
  flip(file, placeOf(file, 'four'));
  const { message } = await damageOf(path);
  expect(message).toContain('keep what is before the damage (version 4), and lose what came after: truncate ');
  follow(message, /^truncate/);
  const told: string[] = [];
  const state = await stateOf(path, { tell: (words) => void told.push(words) });
  expect([state, told]).toEqual([{ stage: { version: 4, marks: [...early, 'three'] } }, []]);
  await goOn(path, ['five']);
  expect(await stateOf(path)).toEqual({ stage: { version: 5, marks: [...early, 'three', 'five'] } });
});

test('without its log a document is gone on from alone', async () => {
  const path = await folded();
  rmSync(fileOf(path, 'changes.log'));
  const { message } = await damageOf(path);
  expect(message).toContain('go on from state.json alone');
  follow(message, /^touch/);
  expect(await stateOf(path)).toEqual({ stage: { version: 3, marks: early } });
});

test.each([
  ['a log', (path: string) => flip(fileOf(path, 'changes.log'))],
  ['a snapshot', (path: string) => flip(fileOf(path, 'state.json'))],
  ['no log', (path: string) => rmSync(fileOf(path, 'changes.log'))],
  ['no snapshot', (path: string) => rmSync(fileOf(path, 'state.json'))],
])('a sandbox that is set aside for %s begins anew, the others go on, and all it had is kept', async (_, damage) => {
  const path = await marked(['one']);
  await marked(['two'], { path, name: 'other' });
  damage(path);
  const had = filesOf(join(path, 'sandboxes/stage'));
  const { message } = await damageOf(path);
  expect(message).toContain('set the sandbox aside: the others go on, and it begins anew: mv ');
  follow(message, /^mv .*stage\.damaged/);
  expect(await stateOf(path)).toEqual({ other: { version: 2, marks: ['two'] } });
  await marked([], { path });
  const other = { version: 2, marks: ['two'] };
  expect(await stateOf(path)).toEqual({ other, stage: { version: 1, marks: [] } });
  expect(filesOf(join(path, 'stage.damaged'))).toEqual(had);
});

test.each([
  ['production', 'it begins anew'],
  ['other', 'there is no such sandbox any more, nor its key and passwords'],
])('of %s that is set aside it is said that %s', async (name, becomes) => {
  const path = await marked(['one']);
  await marked(['two'], { path, name });
  flip(fileOf(path, 'state.json', name));
  const { message } = await damageOf(path);
  expect(message).toContain(`set the sandbox aside: the others go on, and ${becomes}: mv `);
  follow(message, /^mv /);
  expect(await stateOf(path)).toEqual({ stage: { version: 2, marks: ['one'] } });
});

test('a sandbox is set aside as often as it is damaged', async () => {
  const path = newPath();
  for (const id of ['first', 'second', 'third']) {
    await marked([id], { path });
    flip(fileOf(path, 'state.json'));
    follow((await damageOf(path)).message, /^mv .*stage\.damaged/);
    expect(await stateOf(path)).toEqual({});
  }
});

test.each<readonly [string, (path: string) => void]>([
  ['its document', (path) => flip(fileOf(path, 'state.json'))],
  ['its log', (path) => flip(fileOf(path, 'changes.log'))],
  ['no log', (path) => rmSync(fileOf(path, 'changes.log'))],
])('a sandbox that is put back from a backup for %s is as it was, and the damaged one is kept', async (_, damage) => {
  const path = await folded();
  const [had, state] = [filesOf(join(path, 'sandboxes')), await stateOf(path)];
  const backup = backupOf(join(path, 'sandboxes/stage'));
  damage(path);
  const damaged = filesOf(join(path, 'sandboxes/stage'));
  putBack((await damageOf(path)).message, backup);
  expect(filesOf(join(path, 'stage.damaged'))).toEqual(damaged);
  expect(filesOf(join(path, 'sandboxes'))).toEqual(had);
  expect(await stateOf(path)).toEqual(state);
});

test('the way out by a backup that is pasted with no backup named changes nothing', async () => {
  const path = await folded();
  flip(fileOf(path, 'state.json'));
  const before = filesOf(path);
  const [command = ''] = commandsIn((await damageOf(path)).message).filter((each) => each.includes('YOUR_BACKUP'));
  expect(() => execFileSync('sh', ['-c', command], { stdio: 'pipe', cwd: folder() })).toThrow();
  expect(filesOf(path)).toEqual(before);
});
