// Small sandboxes over a state folder, and a book for each of what it may be found as: what was acknowledged, and what was asked for since.
import { expect } from 'vitest';
import { formats } from '../../src/node/state-folder/format.ts';
import { type FolderOptions, StateFolder } from '../../src/node/state-folder/state-folder.ts';
import { applyChanges } from '../../src/state/changes.ts';
import { noFreeze } from '../../src/state/freeze.ts';
import { type Change, type Commit, type Root, tableNames } from '../../src/state/root.ts';
import type { ForgetfulDisk } from './forgetful-disk.ts';

/** The folder of a disk, opened as it is when a server starts; logs are folded soon. */
export async function stateOn(
  disk: ForgetfulDisk,
  options: Partial<Pick<FolderOptions, 'sync' | 'tell' | 'leastFoldedBytes'>> = {},
): Promise<StateFolder> {
  const kept = { sync: 'always', tell: () => undefined, leastFoldedBytes: 600 } as const;
  return StateFolder.open({ disk, path: '/state', formats, ...kept, ...options });
}

const rootOf = (commit: Commit, from?: Root): Root => applyChanges(from, commit, noFreeze);

/** All of a root, to compare two. */
const shown = ({ version, values, tables }: Root) => ({
  version,
  values,
  rows: tableNames.map((name) => [...tables[name].entries()]),
});

let birth = 0;

/** What makes a sandbox that is like no other. */
function birthChanges(): Change[] {
  birth += 1;
  return [{ value: 'counters', to: { birth } }];
}

/** What a write changes: a row in the place of another, and a value of this size. */
const writeChanges = (version: number, size: number): Change[] => [
  { table: 'spent_refresh_tokens', sequence: version % 3, row: { id: `token ${version % 3}` } },
  { value: 'counters', to: { [`${version} ${'é\n'.repeat(size)}`]: version } },
];

export class Book {
  readonly name: string;
  readonly #isSyncedAtOnce: boolean;
  /** Acknowledged last; undefined: there is none. */
  acknowledged: Root | undefined;
  #possible: (Root | undefined)[] = [undefined];

  constructor(name: string, sync: 'always' | 'interval') {
    this.name = name;
    this.#isSyncedAtOnce = sync === 'always';
  }

  /** A write, which makes the sandbox where there is none. @throws what the store does */
  async write(store: StateFolder, size = 3): Promise<void> {
    const from = this.acknowledged;
    const version = (from?.version ?? 0) + 1;
    const changes = from ? writeChanges(version, size) : birthChanges();
    const root = rootOf({ version, changes }, from);
    this.#possible.push(root);
    const roots = from ? { from, to: root } : { to: root };
    expect(await store.append(this.name, version - 1, changes, roots)).toBe('committed');
    this.acknowledged = root;
    if (!from || this.#isSyncedAtOnce) this.stands();
  }

  async remove(store: StateFolder): Promise<void> {
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
  async compare(store: StateFolder): Promise<void> {
    const commit = await store.load(this.name);
    const found = commit && rootOf(commit);
    const text = JSON.stringify(found && shown(found));
    const possible = this.#possible.map((root) => JSON.stringify(root && shown(root)));
    expect(possible, `${this.name} is ${text}`).toContain(text);
    this.acknowledged = found;
    this.stands();
  }
}
