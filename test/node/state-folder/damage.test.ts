// What is no prefix of what was written is damage, whatever it is: it ends with 78, says what is wrong and three ways out, and changes nothing.
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lineOf } from '../../../src/node/state-folder/line.ts';
import {
  damageOf,
  early,
  fileOf,
  filesOf,
  folded,
  late,
  marked,
  relined,
  stateOf,
} from '../../support/stored-states.ts';

const marks = ['one', 'two', 'three', 'four'];

test.each<readonly [string, (lines: string[]) => string[], RegExp]>([
  [
    'two lines swapped',
    ([head = '', one = '', two = '', ...rest]) => [head, two, one, ...rest],
    /version 3 follows version 1/,
  ],
  [
    'its last two lines swapped',
    (lines) => [...lines.slice(0, -2), ...lines.slice(-2).reverse()],
    /version 5 follows version 3/,
  ],
  ['a line removed in the middle', (lines) => lines.toSpliced(2, 1), /line 3, .*version 4 follows version 2/],
  ['a line doubled', (lines) => lines.toSpliced(2, 0, lines[2] ?? ''), /line 4, .*version 3 follows version 3/],
  ['its first lines again at its end', (lines) => [...lines, ...lines.slice(1, 3)], /version 2 follows version 5/],
  ['no heading', (lines) => lines.slice(1), /line 1, .*does not say that it is state/],
  ['its heading twice', (lines) => [lines[0] ?? '', ...lines], /line 2/],
  ['an empty line', (lines) => lines.toSpliced(3, 0, '\n'), /line 4, .*does not begin with a length/],
  ['bytes of something else behind it', (lines) => [...lines, 'xyz'], /line 6, .*does not begin with a length/],
  ['lines of something else behind it', (lines) => [...lines, '3 00000000 xyz\n'], /line 6, .*it begins with/],
  ['a line that is no change, with its checksum', (lines) => [...lines, `${lineOf('{}')}`], /line 6/],
  ['a line without a payload, with its checksum', (lines) => [...lines, `${lineOf('')}`], /line 6/],
  ['a line that is null, with its checksum', (lines) => [...lines, `${lineOf('null')}`], /line 6/],
  ['a heading that is null, with its checksum', (lines) => [`${lineOf('null')}`, ...lines.slice(1)], /line 1/],
])('a change log with %s is damage', async (_, change, words) => {
  const path = await marked(marks);
  relined(fileOf(path, 'changes-1.log'), change);
  expect((await damageOf(path)).message).toMatch(words);
});

test.each(['\0', '\n', ' ', '{}', '\0\0\0\n'])('a snapshot with %j behind its end is damage', async (tail) => {
  const path = await marked(marks);
  appendFileSync(fileOf(path, 'snapshot-1.json'), tail);
  expect((await damageOf(path)).message).toContain('snapshot-1.json: it is cut off, or has bytes behind its end');
});

test.each(['changes-1.log', 'snapshot-1.json'])(
  '%s of one sandbox in the place of that of another is damage',
  async (name) => {
    const path = await marked(marks);
    await marked(marks, { path, name: 'other' });
    const [here, there, aside] = [fileOf(path, name), fileOf(path, name, 'other'), fileOf(path, 'aside')];
    renameSync(here, aside);
    renameSync(there, here);
    renameSync(aside, there);
    expect((await damageOf(path)).message).toMatch(new RegExp(`${name}: .*it is of the sandbox "(?:other|stage)"`));
  },
);

test.each(['snapshot-N.json', 'changes-N.log'])(
  'a %s of one generation under the name of another is damage',
  async (name) => {
    const path = await folded();
    const [first, second] = [1, 2].map((n) => fileOf(path, name.replace('N', `${n}`)));
    copyFileSync(first ?? '', second ?? '');
    expect((await damageOf(path)).message).toContain('it is number 1');
  },
);

test('a log that goes on from a later version than its snapshot has is damage', async () => {
  const path = await folded();
  const [kept, damaged] = ['changes-2.log', 'snapshot-2.json'].map((name) => fileOf(path, name));
  const bytes = readFileSync(kept ?? '');
  rmSync(damaged ?? '');
  rmSync(fileOf(path, 'changes-1.log'));
  writeFileSync(fileOf(path, 'changes-1.log'), lineOf('{"sachet_state_folder":1,"sandbox":"stage","generation":1}'));
  writeFileSync(kept ?? '', bytes);
  expect((await damageOf(path)).message).toMatch(/changes-2\.log: line 2, .* follows version 1/);
});

test('a missing file of a generation is damage, or the one before says the same', async () => {
  const path = await folded();
  const files = filesOf(path);
  rmSync(fileOf(path, 'changes-2.log'));
  expect((await damageOf(path)).message).toContain('changes-2.log is missing');
  rmSync(fileOf(path, 'snapshot-2.json'));
  rmSync(fileOf(path, 'snapshot-1.json'));
  expect((await damageOf(path)).message).toContain('has change logs and no snapshot that they go on from');
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(path, name), bytes, 'latin1');
  rmSync(fileOf(path, 'snapshot-2.json'));
  expect(await stateOf(path)).toEqual({ stage: { version: 5, marks: [...early, ...late] } });
});

test('damage of the last of many sandboxes leaves the others as they were, cuts and all', async () => {
  const path = await marked(marks);
  for (const name of ['aaa', 'mmm', 'zzz']) {
    await marked(marks, { path, name });
    const file = fileOf(path, 'changes-1.log', name);
    writeFileSync(file, readFileSync(file).subarray(0, -5));
  }
  for (const name of ['aaa', 'mmm', 'stage', 'zzz']) {
    const file = fileOf(path, 'snapshot-1.json', name);
    const bytes = readFileSync(file);
    writeFileSync(file, 'x');
    expect((await damageOf(path)).message, name).toContain(`sandboxes/${name}/snapshot-1.json`);
    writeFileSync(file, bytes);
  }
});

test('a file in the place of a sandbox is damage', async () => {
  const path = await marked(marks);
  writeFileSync(join(path, 'sandboxes/other'), 'notes');
  expect((await damageOf(path)).message).toContain('sandboxes/other');
});

test('a folder in the place of a file is damage', async () => {
  for (const name of ['changes-1.log', 'snapshot-1.json']) {
    const path = await marked(marks);
    rmSync(fileOf(path, name));
    mkdirSync(fileOf(path, name));
    expect((await damageOf(path)).message).toContain('sandboxes/stage');
  }
});

test('a snapshot of a newer format is known for it, whatever else it has', async () => {
  const path = await marked(marks);
  const heading = '{"sachet_state_folder":7,"sandbox":"stage","generation":1,"version":1,"rows":[';
  writeFileSync(fileOf(path, 'snapshot-1.json'), `${heading}\n1,2\n],"sha256":"00"}\n`);
  expect((await damageOf(path)).message).toContain('written by a newer Sachet, in format 7');
});
