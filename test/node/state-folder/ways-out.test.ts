// Each way out of damage that is a command, done in a shell as it stands: afterwards the folder opens, and has what the way out promised.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { folder } from '../../support/command.ts';
import {
  backupOf,
  commandsIn,
  compacted,
  damageOf,
  documentOf,
  early,
  filesOf,
  flip,
  follow,
  goOn,
  late,
  logOf,
  marked,
  newPath,
  putBack,
  stateOf,
} from '../../support/stored-states.ts';

/** Where this text first stands in a file. */
const placeOf = (file: string, text: string): number => readFileSync(file).indexOf(text);

test('a log is kept up to the version before the damage', async () => {
  const path = await compacted();
  const file = logOf(path);
  flip(file, placeOf(file, 'four'));
  const { message } = await damageOf(path);
  expect(message).toContain('keep the changes before the damage, and lose those after it: truncate ');
  follow(message, /^truncate/);
  const told: string[] = [];
  const state = await stateOf(path, { notify: (words) => void told.push(words) });
  expect([state, told]).toEqual([{ stage: { version: 4, marks: [...early, 'three'] } }, []]);
  await goOn(path, ['five']);
  expect(await stateOf(path)).toEqual({ stage: { version: 5, marks: [...early, 'three', 'five'] } });
});

test('without the log the documents are gone on from alone', async () => {
  const path = await compacted();
  rmSync(logOf(path));
  const { message } = await damageOf(path);
  expect(message).toContain('use only the documents, and lose the changes after them');
  follow(message, /^touch/);
  expect(await stateOf(path)).toEqual({ stage: { version: 3, marks: early } });
});

test('a sandbox that is set aside begins anew, the others go on, and all it had is kept', async () => {
  const path = await marked(['one']);
  await marked(['two'], { path, name: 'other' });
  await goOn(path, ['three']);
  flip(documentOf(path));
  const had = filesOf(path);
  const { message } = await damageOf(path);
  expect(message).toContain(
    'move this sandbox out of the folder: the others keep their state, and it starts from the fixtures: cp ',
  );
  follow(message, /^cp .* mv .*stage\.json\.damaged/);
  const other = { version: 2, marks: ['two'] };
  expect(await stateOf(path)).toEqual({ other });
  await marked([], { path });
  expect(await stateOf(path)).toEqual({ other, stage: { version: 1, marks: [] } });
  const kept = filesOf(path);
  expect(kept['stage.json.damaged']).toBe(had['sandboxes/stage.json']);
  expect(kept['changes.log.damaged']).toBe(had['changes.log']);
});

test.each([
  ['production', 'it starts from the fixtures'],
  ['other', 'it no longer exists, nor do its key and passwords'],
])('of %s that is set aside it is said that %s', async (name, becomes) => {
  const path = await marked(['one']);
  await marked(['two'], { path, name });
  flip(documentOf(path, name));
  const { message } = await damageOf(path);
  expect(message).toContain(`move this sandbox out of the folder: the others keep their state, and ${becomes}: cp `);
  follow(message, /^cp /);
  expect(await stateOf(path)).toEqual({ stage: { version: 2, marks: ['one'] } });
});

test('a sandbox is set aside without the changes of one whose name is like its own', async () => {
  const path = await marked(['one'], { name: 'demo.1' });
  await marked(['two'], { path, name: 'demo-1' });
  await goOn(path, ['three'], { name: 'demo.1' });
  await goOn(path, ['four'], { name: 'demo-1' });
  flip(documentOf(path, 'demo.1'));
  follow((await damageOf(path)).message, /^cp /);
  expect(await stateOf(path)).toEqual({ 'demo-1': { version: 3, marks: ['two', 'four'] } });
});

test('a sandbox is set aside as often as it is damaged', async () => {
  const path = newPath();
  for (const id of ['first', 'second', 'third']) {
    await marked([id], { path });
    flip(documentOf(path));
    follow((await damageOf(path)).message, /^cp .*stage\.json\.damaged/);
    expect(await stateOf(path)).toEqual({});
  }
});

test.each<readonly [string, (path: string) => void]>([
  ['a document', (path) => flip(documentOf(path))],
  ['a log', (path) => flip(logOf(path))],
  ['no log', (path) => rmSync(logOf(path))],
])('a folder that is put back from a backup for %s is as it was, and the damaged one is kept', async (_, damage) => {
  const path = await compacted();
  const backup = backupOf(path);
  damage(path);
  const damaged = filesOf(path);
  putBack((await damageOf(path)).message, backup);
  expect(filesOf(`${path}.damaged`)).toEqual(damaged);
  expect(filesOf(path)).toEqual(filesOf(backup));
  expect(await stateOf(path)).toEqual({ stage: { version: 5, marks: [...early, ...late] } });
});

test('the way out by a backup that is pasted with no backup named changes nothing', async () => {
  const path = await compacted();
  flip(documentOf(path));
  const before = filesOf(path);
  const [command = ''] = commandsIn((await damageOf(path)).message).filter((each) => each.includes('YOUR_BACKUP'));
  expect(() => execFileSync('sh', ['-c', command], { stdio: 'pipe', cwd: folder() })).toThrow();
  expect(filesOf(path)).toEqual(before);
});
