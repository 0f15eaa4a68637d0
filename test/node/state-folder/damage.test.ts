// What is no prefix of what was written is damage, whatever it is: it ends with 78, says what is wrong and three ways out, and changes nothing.
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lineOf } from '../../../src/stores/folder/change-log.ts';
import { wholeOf } from '../../support/kept-books.ts';
import { damageOf, fileOf, marked, newPath, relined, within } from '../../support/stored-states.ts';

const marks = ['one', 'two', 'three', 'four'];

const line = (value: unknown): string => `${lineOf(value as Parameters<typeof lineOf>[0])}`;

test.each<readonly [string, (lines: string[]) => string[], RegExp]>([
  [
    'two lines swapped',
    ([one = '', two = '', ...rest]) => [two, one, ...rest],
    /line 1, .*version 3 follows version 1/,
  ],
  ['its last two lines swapped', (lines) => [...lines.slice(0, -2), ...lines.slice(-2).reverse()], /version 5 follows/],
  ['a line removed in the middle', (lines) => lines.toSpliced(1, 1), /line 2, .*version 4 follows version 2/],
  ['a line doubled', (lines) => lines.toSpliced(1, 0, lines[1] ?? ''), /line 3, .*version 3 follows version 3/],
  ['its first lines again at its end', (lines) => [...lines, ...lines.slice(0, 2)], /version 2 follows version 5/],
  ['no first line', (lines) => lines.slice(1), /line 1, .*version 3 follows version 1/],
  ['an empty line', (lines) => lines.toSpliced(2, 0, '\n'), /line 3, .*does not begin with a length/],
  ['bytes of something else behind it', (lines) => [...lines, 'xyz'], /line 5, .*it has no end/],
  ['lines of something else behind it', (lines) => [...lines, '3 00000000 xyz\n'], /line 5, .*it begins with/],
  ['a line that is no change, with its checksum', (lines) => [...lines, line({})], /line 5, .*it is no change/],
  ['a line that is null, with its checksum', (lines) => [...lines, line(null)], /line 5, .*it is no change/],
])('a change log with %s is damage', async (_, change, words) => {
  const path = await marked(marks);
  relined(fileOf(path, 'changes.log'), change);
  expect((await damageOf(path)).message).toMatch(words);
});

test.each(['\0', '\n', ' ', '{}', '\0\0\0\n'])('a document with %j behind its end is damage', async (tail) => {
  const path = await marked(marks);
  appendFileSync(fileOf(path, 'state.json'), tail);
  expect((await damageOf(path)).message).toContain('state.json: it is cut off, or has bytes behind its end');
});

test('the document of one sandbox in the place of that of another is damage', async () => {
  const path = await marked(marks);
  await marked(marks, { path, name: 'other' });
  renameSync(fileOf(path, 'state.json', 'other'), fileOf(path, 'state.json'));
  expect((await damageOf(path)).message).toMatch(/state\.json is missing|it is of the sandbox "other"/);
});

test.each(['changes.log', 'state.json'])('a missing %s is damage', async (name) => {
  const path = await marked(marks);
  rmSync(fileOf(path, name));
  expect((await damageOf(path)).message).toContain(`${name} is missing`);
});

test('missing fixtures are damage', async () => {
  const path = await marked(marks);
  rmSync(join(path, 'fixtures/none.json'));
  expect((await damageOf(path)).message).toContain('fixtures/none.json');
});

test('a folder of the first edition is told how its state is brought here', async () => {
  const path = await marked(marks);
  for (const name of ['changes.log', 'state.json']) rmSync(fileOf(path, name));
  writeFileSync(fileOf(path, 'snapshot-1.json'), '{"sachet_state_folder":1}');
  const { message } = await damageOf(path);
  expect(message).toContain('was written by the first edition of Sachet (0.1)');
  expect(message).toContain('save GET /_admin/sandboxes/{sandbox}/state of each sandbox, and PUT it to this version');
});

test('damage of the last of many sandboxes leaves the others as they were, cuts and all', async () => {
  const path = await marked(marks);
  for (const name of ['aaa', 'mmm', 'zzz']) {
    await marked(marks, { path, name });
    const file = fileOf(path, 'changes.log', name);
    writeFileSync(file, readFileSync(file).subarray(0, -5));
  }
  for (const name of ['aaa', 'mmm', 'stage', 'zzz']) {
    const file = fileOf(path, 'state.json', name);
    const bytes = readFileSync(file);
    writeFileSync(file, 'x');
    expect((await damageOf(path)).message, name).toContain(`sandboxes/${name}/state.json`);
    writeFileSync(file, bytes);
  }
});

test('a file in the place of a sandbox is damage', async () => {
  const path = await marked(marks);
  writeFileSync(join(path, 'sandboxes/other'), 'notes');
  expect((await damageOf(path)).message).toContain('sandboxes/other');
});

test('a folder in the place of a file is damage', async () => {
  for (const name of ['changes.log', 'state.json']) {
    const path = await marked(marks);
    rmSync(fileOf(path, name));
    mkdirSync(fileOf(path, name));
    expect((await damageOf(path)).message).toContain('sandboxes/stage');
  }
});

test('a document of another format is known for it', async () => {
  const path = newPath();
  const whole = wholeOf('stage', { version: 1, marks: [] });
  await within(path, (store) =>
    store.append('stage', 0, [], () => ({ ...whole, document: { ...whole.document, sachet_sandbox: 7 as 2 } })),
  );
  expect((await damageOf(path)).message).toContain('written by another Sachet, in format 7; this one reads format 2');
});
