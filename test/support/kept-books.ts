// Small sandboxes over a state folder, and a book for each of what it may be found as: what was acknowledged, and what was asked for since.
import { expect } from 'vitest';
import type { Store, Whole } from '../../src/state/store.ts';
import { type FolderOptions, StateFolder } from '../../src/stores/folder/state-folder.ts';
import type { ForgetfulDisk } from './forgetful-disk.ts';

/** The folder of a disk, opened as it is when a server starts; logs are folded soon. */
export function stateOn(
  disk: ForgetfulDisk,
  options: Partial<Pick<FolderOptions, 'sync' | 'tell' | 'foldedBytes'>> = {},
): Promise<StateFolder> {
  return StateFolder.open({
    disk,
    path: '/state',
    sync: 'always',
    tell: () => undefined,
    foldedBytes: 600,
    ...options,
  });
}

/** All that there is of a small sandbox: its marks, of which each version adds one. */
export interface Marked {
  readonly version: number;
  readonly marks: readonly string[];
}

/** A small sandbox as a store keeps it whole: its marks stand in the place of tables. */
export const wholeOf = (name: string, { version, marks }: Marked): Whole => {
  const document = {
    sachet_sandbox: 2,
    sandbox: name,
    version,
    fixtures: 'none',
    made: {},
    tables: { marks },
    snapshots: [],
  };
  return { document, fixtures: { accounts: [] } } as unknown as Whole;
};

/** A small sandbox as it was stored; undefined if there is none. */
export async function markedIn(store: Store, name: string): Promise<Marked | undefined> {
  const loaded = await store.load(name, 0);
  if (!loaded?.whole) return undefined;
  const { tables, version } = loaded.whole.document as unknown as { tables: { marks: string[] }; version: number };
  const added = loaded.commits.flatMap(({ changes }) =>
    changes.flatMap((change) => ('row' in change ? [change.row.id] : [])),
  );
  return { version: loaded.commits.at(-1)?.version ?? version, marks: [...tables.marks, ...added] };
}

/** Adds a mark, or makes the sandbox. */
export async function addMark(store: Store, name: string, from: Marked | undefined, id: string): Promise<Marked> {
  const next = from ? { version: from.version + 1, marks: [...from.marks, id] } : { version: 1, marks: [] };
  // A store may ask what the sandbox is also after the change was refused.
  let current = next;
  const changes = from ? [{ table: 'marks', seq: from.version, row: { id } }] : [];
  try {
    expect(await store.append(name, next.version - 1, changes, () => wholeOf(name, current))).toBe(true);
  } catch (error) {
    if (from) current = { ...from, marks: [...from.marks] };
    throw error;
  }
  return next;
}

let births = 0;

export class Book {
  readonly name: string;
  readonly #isSyncedAtOnce: boolean;
  /** Acknowledged last; undefined: there is none. */
  acknowledged: Marked | undefined;
  #possible: (Marked | undefined)[] = [undefined];

  constructor(name: string, sync: 'always' | 'interval') {
    this.name = name;
    this.#isSyncedAtOnce = sync === 'always';
  }

  /** A write, which makes the sandbox if there is none. @throws what the store does */
  async write(store: Store, size = 3): Promise<void> {
    births += 1;
    const from = this.acknowledged;
    const id = `${births} ${'é\n'.repeat(size)}`;
    this.#possible.push(from ? { version: from.version + 1, marks: [...from.marks, id] } : { version: 1, marks: [] });
    this.acknowledged = await addMark(store, this.name, from, id);
    if (!from || this.#isSyncedAtOnce) this.stands();
  }

  async remove(store: Store): Promise<void> {
    this.#possible.push(undefined);
    await store.remove(this.name);
    this.acknowledged = undefined;
    this.stands();
  }

  /** What is acknowledged now, and all before it, cannot be lost any more. */
  stands(): void {
    this.#possible = [this.acknowledged];
  }

  /** Compares with what was found, and goes on from there. */
  async compare(store: Store): Promise<void> {
    const found = await markedIn(store, this.name);
    const possible = this.#possible.map((one) => JSON.stringify(one));
    expect(possible, `${this.name} is ${JSON.stringify(found)}`).toContain(JSON.stringify(found));
    this.acknowledged = found;
    this.stands();
  }
}
