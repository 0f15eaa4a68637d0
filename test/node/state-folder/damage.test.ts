// A damaged state folder: the start ends with 78, names the fault and three options, and changes nothing. Each option that is a command works.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lineOf } from '../../../src/stores/folder/change-log.ts';
import { openState } from '../../../src/stores/folder/state-folder.ts';
import { folder } from '../../support/command.ts';
import {
  addMark,
  addMarks,
  changeLines,
  commandsIn,
  compacted,
  damageOf,
  documentOf,
  early,
  filesOf,
  flip,
  late,
  logOf,
  marked,
  newPath,
  proposed,
  restore,
  stateOf,
  wholeOf,
  within,
} from './sandboxes-in-files.ts';

const marks = ['one', 'two', 'three', 'four'];
const line = (value: unknown): string => `${lineOf(value as Parameters<typeof lineOf>[0])}`;
const wholeState = { stage: { version: 5, marks: [...early, ...late] } };

const inLog = (change: (lines: string[]) => string[]) => (path: string) => changeLines(logOf(path), change);

const damages: readonly (readonly [string, (path: string) => void, RegExp])[] = [
  [
    'two swapped lines',
    inLog(([a = '', b = '', ...rest]) => [b, a, ...rest]),
    /line 1, .*version 3 of "stage" follows .* 1/,
  ],
  ['a removed line', inLog((lines) => lines.toSpliced(1, 1)), /line 2, .*version 4 of "stage" follows version 2/],
  ['an empty line', inLog((lines) => lines.toSpliced(2, 0, '\n')), /line 3, .*does not begin with a length/],
  ['foreign bytes at the end', inLog((lines) => [...lines, 'xyz']), /line 5, .*the end of the line is missing/],
  ['a line that is not a change', inLog((lines) => [...lines, line({})]), /line 5, .*it is not a change/],
  ['NUL after a document', (path) => appendFileSync(documentOf(path), '\0'), /stage.json: it is cut off, or has bytes/],
  ["another sandbox's document", (path) => copyFileSync(documentOf(path, 'other'), documentOf(path)), /"other"/],
  ['no log', (path) => rmSync(logOf(path)), /changes.log: the file is missing/],
  ['no document', (path) => rmSync(documentOf(path)), /line 1, at byte 0: the document of "stage" is missing/],
  ['no fixtures', (path) => rmSync(join(path, 'fixtures/none.json')), /fixtures\/none.json: the file is missing/],
];

test.each(damages)('%s is damage', async (_, damage, message) => {
  const path = await marked(['one'], { name: 'other' });
  await marked(marks, { path });
  damage(path);
  expect(await damageOf(path)).toMatch(message);
});

test('a document of another format, or without a setting of its sandbox, is damage', async () => {
  const damageWith = async (changes: object) => {
    const path = newPath();
    const whole = wholeOf('stage', { version: 1, marks: [] });
    const document = { ...whole.document, ...changes };
    await within(path, (store) => store.append('stage', 0, [], () => ({ ...whole, document })));
    return damageOf(path);
  };
  expect(await damageWith({ sachet_sandbox: 7 })).toContain('it has format 7; this version of Sachet reads only');
  const { made } = wholeOf('stage', { version: 1, marks: [] }).document;
  for (const key of Object.keys(made))
    expect(await damageWith({ made: { ...made, [key]: undefined } })).toContain(`stage.json: the value made.${key}`);
});

test('a folder of the first edition: the message says how to move its sandboxes', async () => {
  const path = newPath();
  mkdirSync(join(path, 'sandboxes/stage'), { recursive: true });
  writeFileSync(join(path, 'sandboxes/stage/snapshot-1.json'), '{"sachet_state_folder":1}');
  const message = await damageOf(path);
  expect(message).toContain('has format 1; this version of Sachet reads only format 2');
  expect(message).toContain('save GET /_admin/sandboxes/{sandbox}/state of each sandbox, then start this version');
});

test('after a crash the sandboxes are in the order of their last changes', async () => {
  const path = newPath();
  const files = await within(path, async (store) => {
    const first = await addMark(store, 'first', undefined, '');
    await addMark(store, 'second', undefined, '');
    await addMark(store, 'first', first, 'changed');
    return filesOf(path);
  });
  restore(path, files);
  expect(await within(path, (store) => store.names())).toEqual(['second', 'first']);
});

test('a sandbox that was removed and created again is the new one, wherever writing its document stopped', async () => {
  const path = await marked(['old', 'older']);
  const files = await within(path, async (store) => {
    await store.remove('stage');
    await addMark(store, 'stage', await addMark(store, 'stage', undefined, ''), 'new');
    return filesOf(path);
  });
  const newOne = { stage: { version: 2, marks: ['new'] } };
  restore(path, files);
  expect(await stateOf(path)).toEqual(newOne);
  // The new document is written and the log is not emptied yet, or the old document is deleted.
  restore(path, { ...filesOf(path), 'changes.log': files['changes.log'] ?? '' });
  expect(await stateOf(path)).toEqual(newOne);
  restore(path, files);
  rmSync(documentOf(path));
  expect(await stateOf(path)).toEqual(newOne);
});

/** Adds files by their paths within the folder. */
function addFiles(path: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), 'left');
  }
}

test('a start deletes unfinished files, unless there is damage, and no foreign file', async () => {
  const foreign = ['notes.txt', 'state.json.tmp', 'fixtures/notes.txt', 'sandboxes/NOTES.json.tmp'];
  const path = await compacted();
  await stateOf(path);
  addFiles(path, [...foreign, 'sandboxes/notes/notes.txt', 'sandboxes/stage.json.damaged', 'changes.log.old']);
  const files = filesOf(path);
  const unfinished = ['fixtures/unused.json', 'fixtures/none.json.tmp', 'sandboxes/other.json.tmp'];
  addFiles(path, unfinished);
  expect(await stateOf(path)).toEqual(wholeState);
  expect(filesOf(path)).toEqual(files);
  addFiles(path, [...unfinished, 'sandboxes/stage.json']);
  expect(await damageOf(path)).toContain('stage.json');
});

const execute = (command: string): unknown => execFileSync('sh', ['-c', command], { stdio: 'pipe' });

describe('the options', () => {
  test('truncate keeps the changes before the damage', async () => {
    const path = await compacted();
    flip(logOf(path), readFileSync(logOf(path)).indexOf('four'));
    execute(proposed(await damageOf(path), /^truncate/));
    const notes: string[] = [];
    const state = await stateOf(path, { notify: (text) => void notes.push(text) });
    expect([state, notes]).toEqual([{ stage: { version: 4, marks: [...early, 'three'] } }, []]);
    await addMarks(path, ['five']);
    expect(await stateOf(path)).toEqual({ stage: { version: 5, marks: [...early, 'three', 'five'] } });
  });

  test('touch replaces a lost log: only the documents remain', async () => {
    const path = await compacted();
    rmSync(logOf(path));
    execute(proposed(await damageOf(path), /^touch/));
    expect(await stateOf(path)).toEqual({ stage: { version: 3, marks: early } });
  });

  test('a damaged sandbox moves out: it starts anew, the others keep their state, and its files are kept', async () => {
    const path = await marked(['one']);
    await marked(['two'], { path, name: 'other' });
    await addMarks(path, ['three']);
    flip(documentOf(path));
    const before = filesOf(path);
    const message = await damageOf(path);
    expect(message).toContain('move this sandbox out of the folder: the others keep their state, and it starts from');
    execute(proposed(message, /^cp .* mv .*stage\.json\.damaged/));
    const other = { version: 2, marks: ['two'] };
    expect(await stateOf(path)).toEqual({ other });
    const after = filesOf(path);
    expect(after['stage.json.damaged']).toBe(before['sandboxes/stage.json']);
    expect(after['changes.log.damaged']).toBe(before['changes.log']);
    for (const id of ['again', 'and again']) {
      await marked([id], { path });
      flip(documentOf(path));
      execute(proposed(await damageOf(path), /^cp .*stage\.json\.damaged/));
    }
    expect(await stateOf(path)).toEqual({ other });
  });

  test('a sandbox moves out without the changes of one with a similar name', async () => {
    const path = await marked(['one'], { name: 'demo.1' });
    await marked(['two'], { path, name: 'demo-1' });
    for (const name of ['demo.1', 'demo-1']) await addMarks(path, [`of ${name}`], { name });
    flip(documentOf(path, 'demo.1'));
    execute(proposed(await damageOf(path), /^cp /));
    expect(await stateOf(path)).toEqual({ 'demo-1': { version: 3, marks: ['two', 'of demo-1'] } });
  });

  test('a backup replaces the damaged folder, which is kept; without a backup the command changes nothing', async () => {
    const path = await compacted();
    const backup = newPath();
    cpSync(path, backup, { recursive: true });
    flip(logOf(path));
    const damaged = filesOf(path);
    const message = await damageOf(path);
    const pasted = commandsIn(message).filter((command) => command.includes('YOUR_BACKUP'));
    expect(() => execFileSync('sh', ['-c', pasted[0] ?? ''], { stdio: 'pipe', cwd: folder() })).toThrow();
    expect(filesOf(path)).toEqual(damaged);
    execute(proposed(message, /^cp -a /, backup));
    expect(filesOf(`${path}.damaged`)).toEqual(damaged);
    expect(filesOf(path)).toEqual(filesOf(backup));
    expect(await stateOf(path)).toEqual(wholeState);
  });
});

describe('a path that cannot be a state folder is rejected, and stays as it is:', () => {
  /** The message of a start over this path. */
  async function rejection(path: string): Promise<string> {
    const opening = openState(path, { sync: 'always', notify: () => undefined });
    const error: unknown = await opening.then(
      (state) => state.close(),
      (caught) => caught,
    );
    const message = expect.stringMatching(
      /^the state cannot be used: .*\nNothing was changed\. You have three options:\n {2}1\. .*\n {2}2\. .*\n {2}3\. /,
    );
    expect(error).toMatchObject({ exitStatus: 78, message });
    return (error as Error).message;
  }

  test.each(['', 'state', '/sandboxes', '/fixtures'])('a file in the place of the folder (%j)', async (name) => {
    const path = newPath();
    if (name.startsWith('/')) mkdirSync(path);
    const file = name.startsWith('/') ? join(path, name) : path;
    writeFileSync(file, 'notes');
    expect(await rejection(name === 'state' ? join(path, name) : path)).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe('notes');
  });

  test.each<readonly [string, (path: string) => unknown, string]>([
    ['a pipe', (path) => execFileSync('mkfifo', [path]), ''],
    ['a link to nothing', (path) => symlinkSync(newPath(), path), ''],
  ])('%s, without a command that moves it', async (_, make, name) => {
    const parent = newPath();
    make(parent);
    const message = await rejection(join(parent, name));
    expect(message).toContain(`${join(parent, name)} cannot be used as a folder: `);
    expect(commandsIn(message)).toEqual([]);
  });
});
