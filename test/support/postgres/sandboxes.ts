// Sandboxes over a store, without a server around them.
import { expect } from 'vitest';
import { applyChanges, changesOf } from '../../../src/state/changes.ts';
import { deepFreeze } from '../../../src/state/freeze.ts';
import { type Image, type Keeping, type Root, tableNames } from '../../../src/state/root.ts';
import { Sandbox } from '../../../src/state/sandbox.ts';
import type { Store } from '../../../src/state/store.ts';
import { bornRoot } from '../roots.ts';

const keeping: Keeping = { freeze: deepFreeze, maxRecords: 1_000_000 };

/** A new sandbox of the shipped fixtures. */
export async function bear(store: Store, name = 'stage'): Promise<Sandbox> {
  const root = bornRoot(0, name);
  const answer = await store.append(name, 0, changesOf(root), { to: root });
  if (answer !== 'committed') throw new Error(`there is a sandbox ${name} already`);
  return new Sandbox(name, root, store, keeping);
}

/** A sandbox that another server has made. */
export async function open(store: Store, name = 'stage'): Promise<Sandbox> {
  const commit = await store.load(name);
  if (!commit) throw new Error(`there is no sandbox ${name}`);
  return new Sandbox(name, applyChanges(undefined, commit, deepFreeze), store, keeping);
}

const image = ({ values, tables }: Image) => ({
  values,
  tables: tableNames.map((name) => [name, [...tables[name].entries()]]),
});

/** All of a root as plain data; one that is kept again under its name may come at another place among the kept. */
export const allOf = ({ version, snapshots, ...root }: Root) => ({
  version,
  ...image(root),
  kept: Object.fromEntries(Array.from(snapshots, ([name, one]) => [name, [one.at, image(one)]])),
});

/** That a store has the sandbox as it is. */
export async function expectKept(sandbox: Sandbox, elsewhere: Store): Promise<void> {
  const { root } = await open(elsewhere, sandbox.name);
  await sandbox.read(() => undefined);
  expect(allOf(root)).toEqual(allOf(sandbox.root));
}
