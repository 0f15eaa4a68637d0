// Sandboxes over a store, without a server around them.
import { expect } from 'vitest';
import { nodeHashes } from '../../src/node/platform.ts';
import { type Persistence, persistenceOver } from '../../src/state/persistence.ts';
import { deepFreeze } from '../../src/state/state.ts';
import type { Store } from '../../src/state/store.ts';
import { TransactionRunner } from '../../src/state/transaction-runner.ts';
import { freshState } from '../support/test-state.ts';
import { shownState } from './random-writes.ts';

const persistence = (store: Store): Persistence =>
  persistenceOver(store, { freeze: deepFreeze, maxRecords: Number.POSITIVE_INFINITY }, nodeHashes);

/** A new sandbox of the shipped fixtures. */
export async function make(store: Store, name = 'stage'): Promise<TransactionRunner> {
  const sandbox = new TransactionRunner(freshState(name, 0), 1, persistence(store));
  if (!(await store.append(name, 0, [], (version) => sandbox.whole(version))))
    throw new Error(`there is a sandbox ${name} already`);
  return sandbox;
}

/** Opens a stored sandbox, as another server does. */
export async function open(store: Store, name = 'stage'): Promise<TransactionRunner> {
  const loaded = await store.load(name, 0);
  if (!loaded?.whole) throw new Error(`there is no sandbox ${name}`);
  const { whole, commits } = loaded;
  const { state, version } = persistence(store).open(whole, commits);
  return new TransactionRunner(state, version, persistence(store));
}

/** All of a sandbox, to compare two. */
export const allOf = ({ state, version }: TransactionRunner) => ({ version, ...shownState(state) });

/** Expects that a store has the sandbox's current state. */
export async function expectKept(sandbox: TransactionRunner, elsewhere: Store): Promise<void> {
  const found = await open(elsewhere, sandbox.name);
  await sandbox.catchUp();
  expect(allOf(found)).toEqual(allOf(sandbox));
}
