// What is no prefix of what was written is damage, whatever it is: it ends with 78, says what is wrong and three ways out, and changes nothing.
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lineOf } from '../../../src/stores/folder/change-log.ts';
import { addMark, wholeOf } from '../../support/kept-books.ts';
import {
  damageOf,
  documentOf,
  filesOf,
  logOf,
  marked,
  newPath,
  relined,
  restore,
  stateOf,
  within,
} from '../../support/stored-states.ts';

const marks = ['one', 'two', 'three', 'four'];

const line = (value: unknown): string => `${lineOf(value as Parameters<typeof lineOf>[0])}`;

test.each<readonly [string, (lines: string[]) => string[], RegExp]>([
  [
    'two lines swapped',
    ([one = '', two = '', ...rest]) => [two, one, ...rest],
    /line 1, .*version 3 of "stage" follows version 1/,
  ],
  [
    'its last two lines swapped',
    (lines) => [...lines.slice(0, -2), ...lines.slice(-2).reverse()],
    /version 5 of "stage" follows/,
  ],
  [
    'a line removed in the middle',
    (lines) => lines.toSpliced(1, 1),
    /line 2, .*version 4 of "stage" follows version 2/,
  ],
  [
    'a line doubled',
    (lines) => lines.toSpliced(1, 0, lines[1] ?? ''),
    /line 3, .*version 3 of "stage" follows version 3/,
  ],
  [
    'its first lines again at its end',
    (lines) => [...lines, ...lines.slice(0, 2)],
    /version 2 of "stage" follows version 5/,
  ],
  ['no first line', (lines) => lines.slice(1), /line 1, .*version 3 of "stage" follows version 1/],
  ['an empty line', (lines) => lines.toSpliced(2, 0, '\n'), /line 3, .*does not begin with a length/],
  ['bytes of something else behind it', (lines) => [...lines, 'xyz'], /line 5, .*the end of the line is missing/],
  ['lines of something else behind it', (lines) => [...lines, '3 00000000 xyz\n'], /line 5, .*it begins with/],
  ['a line that is no change, with its checksum', (lines) => [...lines, line({})], /line 5, .*it is not a change/],
  ['a line that is null, with its checksum', (lines) => [...lines, line(null)], /line 5, .*it is not a change/],
])('a change log with %s is damage', async (_, change, words) => {
  const path = await marked(marks);
  relined(logOf(path), change);
  expect((await damageOf(path)).message).toMatch(words);
});

test.each(['\0', '\n', ' ', '{}', '\0\0\0\n'])('a document with %j behind its end is damage', async (tail) => {
  const path = await marked(marks);
  appendFileSync(documentOf(path), tail);
  expect((await damageOf(path)).message).toContain('stage.json: it is cut off, or has bytes after its end');
});

test('the document of one sandbox in the place of that of another is damage', async () => {
  const path = await marked(marks);
  await marked(marks, { path, name: 'other' });
  copyFileSync(documentOf(path, 'other'), documentOf(path));
  expect((await damageOf(path)).message).toMatch(/it belongs to the sandbox "other"/);
});

test('a missing folder of documents is damage', async () => {
  const path = await marked(marks);
  rmSync(join(path, 'sandboxes'), { recursive: true });
  expect((await damageOf(path)).message).toContain('sandboxes: the folder is missing');
});

test('a missing log is damage', async () => {
  const path = await marked(marks);
  rmSync(logOf(path));
  expect((await damageOf(path)).message).toContain('changes.log: the file is missing');
});

test('a missing document of a sandbox that is in the log is damage', async () => {
  const path = await marked(marks);
  rmSync(documentOf(path));
  const { message } = await damageOf(path);
  expect(message).toContain('changes.log: line 1, at byte 0: the document of "stage" is missing');
  expect(message).toContain('move this sandbox out of the folder: the others keep their state');
});

test('missing fixtures are damage', async () => {
  const path = await marked(marks);
  rmSync(join(path, 'fixtures/none.json'));
  expect((await damageOf(path)).message).toContain('fixtures/none.json: the file is missing');
});

test('a folder of the first edition is told how its state is brought here', async () => {
  const path = newPath();
  mkdirSync(join(path, 'sandboxes/stage'), { recursive: true });
  writeFileSync(join(path, 'sandboxes/stage/snapshot-1.json'), '{"sachet_state_folder":1}');
  const { message } = await damageOf(path);
  expect(message).toContain('has format 1; this version of Sachet reads only format 2');
  expect(message).toContain(
    'save GET /_admin/sandboxes/{sandbox}/state of each sandbox, then start this version with another folder and PUT each',
  );
});

test('damage of one of many sandboxes leaves the others as they were, cuts and all', async () => {
  const path = await marked(marks);
  for (const name of ['aaa', 'mmm', 'zzz']) await marked(marks, { path, name });
  writeFileSync(logOf(path), readFileSync(logOf(path)).subarray(0, -5));
  for (const name of ['aaa', 'mmm', 'stage', 'zzz']) {
    const file = documentOf(path, name);
    const bytes = readFileSync(file);
    writeFileSync(file, 'x');
    expect((await damageOf(path)).message, name).toContain(`sandboxes/${name}.json`);
    writeFileSync(file, bytes);
  }
});

test('a folder in the place of a file is damage', async () => {
  for (const fileOf of [logOf, documentOf]) {
    const path = await marked(marks);
    rmSync(fileOf(path));
    mkdirSync(fileOf(path));
    expect((await damageOf(path)).message).toMatch(/(?:changes\.log|stage\.json): it is a folder/);
  }
});

test('a document of another format is known for it', async () => {
  const path = newPath();
  const whole = wholeOf('stage', { version: 1, marks: [] });
  await within(path, (store) =>
    store.append('stage', 0, [], () => ({ ...whole, document: { ...whole.document, sachet_sandbox: 7 as 2 } })),
  );
  expect((await damageOf(path)).message).toContain('it has format 7; this version of Sachet reads only format 2');
});

test('a sandbox that was removed and made again is the last one, wherever writing the documents was cut short', async () => {
  const path = await marked(['old', 'older']);
  const files = await within(path, async (store) => {
    await store.remove('stage');
    await addMark(store, 'stage', await addMark(store, 'stage', undefined, ''), 'new');
    return filesOf(path);
  });
  const whole = { stage: { version: 2, marks: ['new'] } };
  restore(path, files);
  expect(await stateOf(path)).toEqual(whole);
  const log = { 'changes.log': files['changes.log'] ?? '' };
  // The document of the new one is written, or that of the old one deleted, and the log is not emptied yet.
  restore(path, { ...filesOf(path), ...log });
  expect(await stateOf(path)).toEqual(whole);
  restore(path, { ...files });
  rmSync(documentOf(path));
  expect(await stateOf(path)).toEqual(whole);
});

test.each(['identity', 'clock', 'readings', 'at'] as const)(
  'a document without %s of its sandbox is damage',
  async (key) => {
    const path = newPath();
    const whole = wholeOf('stage', { version: 1, marks: [] });
    const made = { ...whole.document.made, [key]: undefined };
    await within(path, (store) =>
      store.append('stage', 0, [], () => ({ ...whole, document: { ...whole.document, made } })),
    );
    expect((await damageOf(path)).message).toMatch(new RegExp(`stage.json: the value made.${key}\\S* is missing`));
  },
);
