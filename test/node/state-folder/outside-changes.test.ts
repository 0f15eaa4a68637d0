// Other programs change the state folder of a running server. The server acknowledges only what it keeps, repairs its log,
// and stops writing to a folder that it has lost.
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { StoreFailure } from '../../../src/state/store.ts';
import { lineOf } from '../../../src/stores/folder/change-log.ts';
import { makeFolder } from '../../../src/stores/folder/file-system.ts';
import { lockFolder, thisProcess } from '../../../src/stores/folder/lock.ts';
import { openState } from '../../../src/stores/folder/state-folder.ts';
import { mark, marks, plain, stageOver } from '../../support/chaos-store.ts';
import { folder } from '../../support/command.ts';
import { untilSo } from '../../support/control.ts';
import { addMark, documentOf, filesOf, logOf, newPath, within } from './sandboxes-in-files.ts';

afterEach(() => void vi.useRealTimers());

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
