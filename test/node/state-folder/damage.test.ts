// Files that are damaged, or that other programs change. A start over damage ends with 78, names the fault and three options, and changes nothing;
// each option that is a command works. A running server acknowledges only what it keeps, repairs its log, and stops writing to a folder that it has lost.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { StoreFailure } from '../../../src/state/store.ts';
import { lineOf } from '../../../src/stores/folder/change-log.ts';
import { asStateDamage } from '../../../src/stores/folder/damage.ts';
import { makeFolder } from '../../../src/stores/folder/file-system.ts';
import { lockFolder, thisProcess } from '../../../src/stores/folder/lock.ts';
import { openState } from '../../../src/stores/folder/state-folder.ts';
import { mark, marks, plain, stageOver } from '../../support/chaos-store.ts';
import { folder } from '../../support/command.ts';
import { untilSo } from '../../support/control.ts';
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

afterEach(() => void vi.useRealTimers());

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
  await marked(['one', 'two', 'three', 'four'], { path });
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

test('a path that is too long or that cannot be created gets its own advice', () => {
  const adviceOn = (code: string) =>
    String(asStateDamage('/x', Object.assign(new Error(code), { code, syscall: 'mkdir' })));
  expect(adviceOn('ENAMETOOLONG')).toContain('\n  1. start with a shorter path: --state <dir>\n');
  expect(adviceOn('EROFS')).toContain('\n  1. make its file system writable, or mount a writable one there\n');
  expect(adviceOn('ENOENT')).toContain('\n  1. create the folder yourself, or remove the link to nothing');
});

describe('a changed log', () => {
  const changes: Readonly<Record<string, (log: string) => void>> = {
    cut: (log) => truncateSync(log, statSync(log).size - 10),
    emptied: (log) => truncateSync(log),
    removed: (log) => rmSync(log),
    'replaced by a copy': (log) => {
      writeFileSync(`${log}.new`, readFileSync(log));
      renameSync(`${log}.new`, log);
    },
    'removed with all documents': (log) => {
      rmSync(log);
      rmSync(join(dirname(log), 'sandboxes'), { recursive: true });
    },
    'appended to': (log) => {
      const change = { table: 'spent_refresh_tokens', seq: 7, row: { id: 'foreign' } };
      appendFileSync(log, lineOf({ sandbox: 'stage', version: 4, changes: [change] }));
    },
  };

  test.each(Object.entries(changes))(
    '%s: one write is rejected without a trace, then all that was acknowledged is there',
    async (_, change) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const path = newPath();
      const last = await within(path, async (store) => {
        const sandbox = await stageOver(store);
        for (const id of ['one', 'two']) await mark(sandbox, id);
        const before = plain(sandbox);
        change(logOf(path));
        await expect(mark(sandbox, 'rejected')).rejects.toThrow(StoreFailure);
        expect(plain(sandbox)).toEqual(before);
        expect(store.problem()).toMatch(
          /^cannot write changes to the state folder: changes\.log was (?:changed|cut|removed) by /,
        );
        // The store repairs itself. Vitest's poll would wait for the fake time.
        await untilSo(async () => {
          await vi.advanceTimersByTimeAsync(1000);
          return store.problem() === undefined;
        });
        await mark(sandbox, 'after');
        expect(readFileSync(documentOf(path), 'utf8')).toContain(`"version": ${before.version},`);
        expect(await marks(sandbox)).toEqual(['one', 'two', 'after']);
        return plain(sandbox);
      });
      expect(await within(path, async (store) => plain(await stageOver(store)))).toEqual(last);
    },
  );
});

test.runIf(process.platform === 'linux')('creating a folder where none can be created fails at once', async () => {
  await expect(makeFolder(promises, '/proc/sachet/one/two')).rejects.toMatchObject({ code: 'ENOENT' });
});

describe('a lost folder', () => {
  const heartbeat = 1000;
  const moved = 'the state folder was moved or replaced';
  const taken = 'another process has taken over the state folder';
  const writeForeignLock = (path: string): void => writeFileSync(join(path, 'lock'), JSON.stringify(thisProcess()));

  const losses: readonly (readonly [string, string, (path: string) => void])[] = [
    ['moved away', moved, (path) => renameSync(path, `${path}.away`)],
    [
      'moved away and created again by a process that holds it',
      moved,
      (path) => {
        renameSync(path, `${path}.away`);
        mkdirSync(join(path, 'sandboxes', 'stage'), { recursive: true });
        writeForeignLock(path);
      },
    ],
    ['locked by another process', taken, writeForeignLock],
  ];

  test.each(losses)('%s: nothing more is written to it, with both values of --sync', async (_, why, lose) => {
    for (const sync of ['always', 'interval'] as const) {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const around = folder();
      const path = join(around, 'state');
      const notes: string[] = [];
      const state = await openState(path, { sync, notify: (text) => notes.push(text) });
      const sandbox = await stageOver(state.store);
      await mark(sandbox, 'before');
      lose(path);
      const [files, before] = [filesOf(around), plain(sandbox)];
      await vi.advanceTimersByTimeAsync(heartbeat);
      await untilSo(() => state.store.problem() === why);
      await expect(mark(sandbox, 'rejected')).rejects.toMatchObject({ cause: { message: why } });
      expect(plain(sandbox)).toEqual(before);
      await expect(async () => state.store.remove('stage')).rejects.toThrow(why);
      await vi.advanceTimersByTimeAsync(3 * heartbeat);
      await state.close();
      expect(notes).toEqual([`state: ${why}: this server no longer writes to it`]);
      expect(filesOf(around)).toEqual(files);
    }
  });

  /** Locks a folder without a heartbeat. A check is due before a write after so many milliseconds. */
  async function locked(staleMilliseconds: number) {
    const path = folder();
    const notify = vi.fn();
    const lock = await lockFolder(path, { notify, heartbeatMilliseconds: 600_000, staleMilliseconds });
    onTestFinished(() => lock.release());
    return { path, lock, notify };
  }

  test('is noticed before a write by a process that was suspended, but not checked again at once', async () => {
    const { path, lock, notify } = await locked(20);
    await within(
      path,
      async (store) => {
        await addMark(store, 'stage', undefined, '');
        writeForeignLock(path);
        const files = filesOf(path);
        await sleep(25);
        await expect(addMark(store, 'other', undefined, '')).rejects.toThrow(taken);
        expect(notify).toHaveBeenCalledExactlyOnceWith(`state: ${taken}: this server no longer writes to it`);
        expect(filesOf(path)).toEqual(files);
      },
      { loss: () => lock.loss() },
    );
    const fresh = await locked(600_000);
    writeForeignLock(fresh.path);
    expect(fresh.lock.loss()).toBeUndefined();
  });
});
