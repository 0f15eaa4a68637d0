// State of an older format is written anew in the current one: once, wherever it was cut short, and its original is kept to the byte.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Disk, machineDisk, type OpenFile } from '../../../src/node/state-folder/disk.ts';
import type { Formats } from '../../../src/node/state-folder/format.ts';
import type { Change } from '../../../src/state/root.ts';
import {
  damageOf,
  early,
  fileOf,
  filesOf,
  folded,
  follow,
  goOn,
  late,
  marked,
  restore,
  stateOf,
} from '../../support/stored-states.ts';

/** An upgrade that can be seen in each mark, as often as it was done. */
const signing = (sign: string) =>
  function* (changes: Iterable<Change>): Generator<Change> {
    for (const change of changes)
      yield 'table' in change && change.row
        ? { ...change, row: { ...change.row, id: `${change.row.id}${sign}` } }
        : change;
  };

const second: Formats = { current: 2, upgrades: { 1: signing('+') } };
const third: Formats = { current: 3, upgrades: { ...second.upgrades, 2: signing('*') } };
const marks = ['one', 'two'];
const signed = (all: readonly string[], sign = '+') => ({
  stage: { version: all.length + 1, marks: all.map((id) => id + sign) },
});
const sandboxOf = (path: string): Record<string, string> => filesOf(join(path, 'sandboxes/stage'));
function originalOf(path: string, format = 1): Record<string, string> {
  const name = readdirSync(fileOf(path, '.')).find((each) => each.startsWith(`format-${format}-version-`));
  return filesOf(fileOf(path, name ?? 'none'));
}

test('state of an older format is upgraded once, its original kept, and what is written then is of the current one', async () => {
  const path = await marked(marks);
  const original = sandboxOf(path);
  const told: string[] = [];
  const options = { formats: second, tell: (words: string) => void told.push(words) };
  expect(await stateOf(path, options)).toEqual(signed(marks));
  expect(told).toEqual(['state: "stage" is written anew; the original of format 1 is kept']);
  expect(originalOf(path)).toEqual(original);
  const upgraded = filesOf(path);
  expect(await stateOf(path, options)).toEqual(signed(marks));
  expect([told.length, filesOf(path)]).toEqual([1, upgraded]);
  await goOn(path, ['three'], options);
  const { version, marks: all } = signed(marks).stage;
  expect(await stateOf(path, options)).toEqual({ stage: { version: version + 1, marks: [...all, 'three'] } });
  expect(originalOf(path)).toEqual(original);
});

test('a log whose end is cut is upgraded as far as it goes, and kept with its cut', async () => {
  const path = await marked(marks);
  const file = fileOf(path, 'changes-1.log');
  writeFileSync(file, readFileSync(file).subarray(0, -7));
  const original = sandboxOf(path);
  expect(await stateOf(path, { formats: second })).toEqual(signed(['one']));
  expect(originalOf(path)).toEqual(original);
});

test('state is upgraded over several formats, at once and one by one, and each original is kept', async () => {
  const [at, by] = [await marked(marks), await marked(marks)];
  expect(await stateOf(at, { formats: third })).toEqual(signed(marks, '+*'));
  expect(await stateOf(by, { formats: second })).toEqual(signed(marks));
  expect(await stateOf(by, { formats: third })).toEqual(signed(marks, '+*'));
  expect([sandboxOf(by), originalOf(by, 2), originalOf(by)].map(formatOf)).toEqual([3, 2, 1]);
});

/** The latest snapshot's name. */
const lastOf = (files: Readonly<Record<string, string>>): string =>
  Object.keys(files).findLast((name) => name.startsWith('snapshot-')) ?? '';

/** The format of the latest snapshot. */
const formatOf = (files: Readonly<Record<string, string>>): number =>
  Number(/state_folder":(\d)/.exec(files[lastOf(files)] ?? '')?.[1]);

test('state that is upgraded is too new for those who know the older format alone', async () => {
  const path = await marked(marks);
  await stateOf(path, { formats: second });
  expect((await damageOf(path)).message).toContain('in format 2; this one reads formats up to 1');
});

test('the generation before an upgrade says the same, and is upgraded again', async () => {
  const path = await folded();
  const whole = signed([...early, ...late]);
  expect(await stateOf(path, { formats: second })).toEqual(whole);
  const file = fileOf(path, lastOf(sandboxOf(path)));
  writeFileSync(file, readFileSync(file).subarray(0, -9));
  follow((await damageOf(path, { formats: second })).message, /^mv .*snapshot-/);
  expect(await stateOf(path, { formats: second })).toEqual(whole);
});

test('damage in state of an older format is found before anything is upgraded', async () => {
  const path = await marked(marks);
  await marked(marks, { path, name: 'zzz' });
  rmSync(fileOf(path, 'changes-1.log', 'zzz'));
  expect((await damageOf(path, { formats: second })).message).toContain('zzz/changes-1.log is missing');
});

test('what is left of a copy of the original does not come into the one that is kept', async () => {
  const path = await marked(marks);
  const original = sandboxOf(path);
  mkdirSync(fileOf(path, '.format-1-version-3'));
  writeFileSync(fileOf(path, '.format-1-version-3/changes-9.log'), 'left');
  expect(await stateOf(path, { formats: second })).toEqual(signed(marks));
  expect(originalOf(path)).toEqual(original);
});

/** A process that is ended at its nth operation that changes something; a write is then done by half. */
class Ended {
  #left: number;
  readonly #byHalf: boolean;
  isOver = false;

  constructor(operations: number, byHalf: boolean) {
    this.#left = operations;
    this.#byHalf = byHalf;
  }

  get disk(): Disk {
    const { create, open } = machineDisk;
    return {
      ...machineDisk,
      create: (path) => this.#do(async () => this.#file(await create(path))),
      open: (path) => this.#do(async () => this.#file(await open(path))),
      makeFolder: (path) => this.#do(() => machineDisk.makeFolder(path)),
      rename: (from, to) => this.#do(() => machineDisk.rename(from, to)),
      remove: (path) => this.#do(() => machineDisk.remove(path)),
      syncFolder: (path) => this.#do(() => machineDisk.syncFolder(path)),
    };
  }

  #file(file: OpenFile): OpenFile {
    const half = (bytes: Uint8Array) => file.write(bytes.subarray(0, bytes.length >> 1));
    return {
      write: (bytes) =>
        this.#do(
          () => file.write(bytes),
          () => half(bytes),
        ),
      sync: () => this.#do(() => file.sync()),
      size: () => file.size(),
      truncate: (size) => this.#do(() => file.truncate(size)),
      close: () => file.close(),
    };
  }

  async #do<T>(work: () => Promise<T>, atLast?: () => Promise<void>): Promise<T> {
    this.#left -= 1;
    if (this.#left === 0 && this.#byHalf) await atLast?.();
    if (this.#left > 0) return work();
    this.isOver = true;
    throw new Error('the process was ended');
  }
}

/** A sandbox whose second log has begun, and whose second snapshot is not there yet. */
async function folding(): Promise<string> {
  const path = await folded();
  rmSync(fileOf(path, 'snapshot-2.json'));
  return path;
}

test.each([
  ['one generation', false, () => marked(marks), marks],
  ['one generation, writes by half', true, () => marked(marks), marks],
  ['two generations', false, folded, [...early, ...late]],
  ['a fold under way', false, folding, [...early, ...late]],
  ['two generations, writes by half', true, folded, [...early, ...late]],
] as const)('an upgrade of %s that is ended at any operation is done again', async (_, byHalf, make, all) => {
  const path = await make();
  const [before, original] = [filesOf(path), sandboxOf(path)];
  let operations = 1;
  for (let isOver = true; isOver; operations += 1) {
    restore(path, before);
    const process = new Ended(operations, byHalf);
    const words = await stateOf(path, { disk: process.disk, formats: second }).catch(({ message }: Error) => message);
    isOver = process.isOver;
    if (isOver) expect(words, `ended at ${operations}`).toBe('the process was ended');
    expect(await stateOf(path, { formats: second }), `ended at ${operations}`).toEqual(signed(all));
    expect(formatOf(sandboxOf(path)), `ended at ${operations}`).toBe(2);
    expect(originalOf(path), `ended at ${operations}`).toEqual(original);
    const upgraded = filesOf(path);
    expect(await stateOf(path, { formats: second }), `ended at ${operations}`).toEqual(signed(all));
    expect(filesOf(path), `ended at ${operations}`).toEqual(upgraded);
  }
  expect(operations).toBeGreaterThan(20);
});
