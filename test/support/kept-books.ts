// Small sandboxes over a state folder, and a book for each of what it may be found as: what was acknowledged, and what was asked for since.
import { expect } from 'vitest';
import { realClock } from '../../src/state/clock.ts';
import type { Store, StoredSandbox } from '../../src/state/store.ts';
import { type FolderOptions, StateFolder } from '../../src/stores/folder/state-folder.ts';
import type { ForgetfulDisk } from './forgetful-disk.ts';

/** The folder of a disk, opened as it is when a server starts; logs are compacted soon. */
export function stateOn(
  disk: ForgetfulDisk,
  options: Partial<Pick<FolderOptions, 'sync' | 'notify' | 'compactAfterBytes' | 'loss'>> = {},
): Promise<StateFolder> {
  return StateFolder.open({
    fs: disk.fs,
    path: '/state',
    sync: 'always',
    notify: () => undefined,
    compactAfterBytes: 600,
    ...options,
  });
}

/** All that there is of a small sandbox: its marks, of which each version adds one. */
export interface Marked {
  readonly version: number;
  readonly marks: readonly string[];
}

/** A small sandbox as a store keeps it whole. */
export const wholeOf = (name: string, { version, marks }: Marked): StoredSandbox => {
  const rows = marks.map((id, index) => ({ seq: index + 1, row: { id } }));
  const document = {
    sachet_sandbox: 2,
    sandbox: name,
    version,
    fixtures: 'none',
    made: { identity: { name, environment: name, seed: '', signingKey: '' }, clock: realClock, readings: {}, at: 0 },
    tables: { spent_refresh_tokens: { rows } },
    snapshots: [],
  };
  return { document, fixtures: { accounts: [], administration_times: { values: [] } } } as unknown as StoredSandbox;
};

/** A small sandbox as it was stored; undefined if there is none. */
export async function markedIn(store: Store, name: string): Promise<Marked | undefined> {
  const document = (await store.load(name, 0))?.whole?.document;
  if (!document) return undefined;
  const rows = document.tables.spent_refresh_tokens?.rows ?? [];
  return { version: document.version, marks: rows.map((stored) => ('row' in stored ? stored.row.id : stored.id)) };
}

/** Adds a mark, or makes the sandbox. */
export async function addMark(store: Store, name: string, from: Marked | undefined, id: string): Promise<Marked> {
  const next = from ? { version: from.version + 1, marks: [...from.marks, id] } : { version: 1, marks: [] };
  // A store may ask what the sandbox is also after the change was refused.
  let current = next;
  const changes = from ? [{ table: 'spent_refresh_tokens', seq: from.version, row: { id } }] : [];
  const whole = (version: number) => wholeOf(name, { ...current, version });
  try {
    expect(await store.append(name, next.version - 1, changes, whole)).toBe(true);
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
