// Sandboxes over a given store, and writes that can be recognized later.
import { createEngine } from '../../src/app.ts';
import { exportState } from '../../src/sandbox/state-document.ts';
import type { Store } from '../../src/state/store.ts';
import type { TransactionRunner } from '../../src/state/transaction-runner.ts';
import { fixtures, noon } from './sachet.ts';

/** The sandbox `stage` of a new server. Two servers over one store are two replicas. */
export async function stageOver(store: Store): Promise<TransactionRunner> {
  return createEngine({ fixtures, clock: noon, randomSeed: 'test', store }).sandboxes.stage();
}

/** Adds a mark and advances the clock; returns the milliseconds since noon. */
export async function mark(sandbox: TransactionRunner, id: string, milliseconds = 1): Promise<number> {
  return sandbox.write((state) => {
    state.table('spent_refresh_tokens').insert({ id });
    const clock = state.value('clock');
    state.setValue('clock', { ...clock, now: clock.now + milliseconds });
    return clock.now + milliseconds - Date.parse(noon);
  });
}

/** Increments a counter and advances the clock; returns the counter's former value. */
export async function count(sandbox: TransactionRunner, purpose: string, milliseconds = 1): Promise<number> {
  return sandbox.write((state) => {
    const clock = state.value('clock');
    state.setValue('clock', { ...clock, now: clock.now + milliseconds });
    return state.count(purpose);
  });
}

/** The marks in the order of their sequence numbers. */
export const marks = (sandbox: TransactionRunner): Promise<string[]> =>
  sandbox.read((state) => Array.from(state.table('spent_refresh_tokens').entries(), ([, { id }]) => id));

/** The milliseconds that the clock was advanced. */
export const moved = (sandbox: TransactionRunner): number => sandbox.state.value('clock').now - Date.parse(noon);

/** All of a sandbox as plain data, to compare two. */
export const plain = ({ state, version }: TransactionRunner) => ({ version, ...exportState(state, 0) });
