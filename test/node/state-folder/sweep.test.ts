// What an ended process left unfinished goes at the next start, and nothing that is somebody else's.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { compacted, damageOf, early, filesOf, goOn, late, stateOf } from '../../support/stored-states.ts';

const whole = { stage: { version: 5, marks: [...early, ...late] } };

/** Adds files by their paths within the folder. */
function add(path: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), 'left');
  }
}

const unfinished = [
  'fixtures/unused.json',
  'fixtures/none.json.tmp',
  'sandboxes/stage.json.tmp',
  'sandboxes/other.json.tmp',
];

test('what is unfinished goes at the start', async () => {
  const path = await compacted();
  await stateOf(path);
  const files = filesOf(path);
  add(path, unfinished);
  expect(await stateOf(path)).toEqual(whole);
  expect(filesOf(path)).toEqual(files);
});

test('nothing goes if damage is found', async () => {
  const path = await compacted();
  add(path, [...unfinished, 'sandboxes/stage.json']);
  expect((await damageOf(path)).message).toContain('stage.json');
});

const foreign = [
  'notes.txt',
  'probe.tmp.txt',
  'state.json.tmp',
  'stage.damaged/state.json.tmp',
  'fixtures/notes.txt',
  'sandboxes/NOTES.json.tmp',
  'sandboxes/notes/notes.txt',
  'sandboxes/notes.txt',
  'sandboxes/stage.json.damaged',
  'changes.log.old',
];

test('what others have in the folder stays', async () => {
  const path = await compacted();
  await stateOf(path);
  add(path, foreign);
  const files = filesOf(path);
  expect(await stateOf(path)).toEqual(whole);
  await goOn(path, []);
  expect(filesOf(path)).toEqual(files);
});
