// What an ended process left unfinished goes at the next start, and nothing that is somebody else's.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../support/command.ts';
import {
  damageOf,
  early,
  fileOf,
  filesOf,
  folded,
  foldInto,
  goOn,
  late,
  stateOf,
} from '../../support/stored-states.ts';

const whole = { stage: { version: 5, marks: [...early, ...late] } };

/** Adds files by their paths within the folder. */
function add(path: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), 'left');
  }
}

const unfinished = [
  'probe.tmp',
  'sandboxes/.new-stage/snapshot-1.json',
  'sandboxes/.new-other/changes-1.log',
  'sandboxes/.gone-stage/snapshot-4.json',
  'sandboxes/stage/snapshot-3.json.tmp',
  'sandboxes/stage/snapshot-12.json.tmp',
  'sandboxes/stage/.format-1-version-3/snapshot-1.json',
  'sandboxes/stage/snapshot-0.json',
  'sandboxes/stage/changes-0.log',
];

test('what is unfinished goes at the start', async () => {
  const path = await folded();
  const files = filesOf(path);
  add(path, unfinished);
  expect(await stateOf(path)).toEqual(whole);
  expect(filesOf(path)).toEqual(files);
});

test.each(unfinished)('%s alone goes at the start', async (name) => {
  const path = await folded();
  const files = filesOf(path);
  add(path, [name]);
  await stateOf(path);
  expect(filesOf(path)).toEqual(files);
});

test('nothing goes where damage is found', async () => {
  const path = await folded();
  add(path, [...unfinished, 'sandboxes/stage/snapshot-2.json']);
  expect((await damageOf(path)).message).toContain('snapshot-2.json');
});

test('the generations before the one that is kept go, where a fold did not come to that', async () => {
  const path = await folded();
  const before = join(folder(), 'before');
  cpSync(fileOf(path, ''), before, { recursive: true });
  await foldInto(path, ['five', 'six'.repeat(400)], 3);
  const [files, state] = [filesOf(path), await stateOf(path)];
  expect(Object.keys(files)).not.toContain('sandboxes/stage/snapshot-1.json');
  cpSync(before, fileOf(path, ''), { recursive: true, force: false });
  expect(await stateOf(path)).toEqual(state);
  expect(filesOf(path)).toEqual(files);
});

const foreign = [
  'notes.txt',
  'probe.tmp.txt',
  'snapshot-1.json.tmp',
  'stage.damaged/snapshot-1.json.tmp',
  'sandboxes/NOTES.json.tmp',
  'sandboxes/.newer/snapshot-1.json',
  'sandboxes/.gone',
  'sandboxes/stage/notes.txt',
  'sandboxes/stage/notes.json.tmp',
  'sandboxes/stage/snapshot-x.json.tmp',
  'sandboxes/stage/snapshot-2.json.damaged',
  'sandboxes/stage/snapshot-00.json',
  'sandboxes/stage/changes-0.log.old',
  'sandboxes/stage/format-1-version-3/snapshot-1.json',
  'sandboxes/stage/.format-one/snapshot-1.json',
];

test('what others have in the folder stays', async () => {
  const path = await folded();
  add(path, foreign);
  const files = filesOf(path);
  expect(await stateOf(path)).toEqual(whole);
  await goOn(path, []);
  expect(filesOf(path)).toEqual(files);
});

test('a folder among the sandboxes that has no name of a sandbox stays as it is', async () => {
  const path = await folded();
  const names = ['snapshot-1.json', 'snapshot-2.json', 'snapshot-3.json', 'changes-1.log', 'snapshot-4.json.tmp'];
  add(
    path,
    names.map((name) => `sandboxes/Copy of stage/${name}`),
  );
  const files = filesOf(path);
  expect(await stateOf(path)).toEqual(whole);
  expect(filesOf(path)).toEqual(files);
});
