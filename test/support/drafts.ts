// Transactions on a sandbox's state without a server: what is done is kept, what is refused leaves nothing behind.
import { expect } from 'vitest';
import { ControlRefusal } from '../../src/contract/admin/control-operation.ts';
import type { Writing } from '../../src/control/open-world.ts';
import { nodeHashes } from '../../src/node/hashes.ts';
import { Batch, settled } from '../../src/state/batch.ts';
import type { Draft } from '../../src/state/draft.ts';
import { deepFreeze } from '../../src/state/freeze.ts';
import type { Root } from '../../src/state/root.ts';
import { bornRoot } from './roots.ts';
import { noon } from './sachet.ts';

/** A sandbox of the shipped fixtures whose clock stands at noon. */
export const freshRoot = (name?: string): Root => bornRoot(Date.parse(noon), name);

/** What records are written with at noon. */
export const writing: Writing = { now: Date.parse(noon), hashes: nodeHashes };

/** A sandbox's state, and the one way to change it. */
export class TestState {
  root: Root;
  readonly #maxRecords: number;

  constructor(root = freshRoot(), maxRecords = Number.POSITIVE_INFINITY) {
    this.root = root;
    this.#maxRecords = maxRecords;
  }

  write<T>(run: (draft: Draft) => T): T {
    const batch = new Batch(this.root, { freeze: deepFreeze, maxRecords: this.#maxRecords });
    const outcome = batch.run(run);
    this.root = batch.root;
    return settled(outcome);
  }

  /** The refusal that this meets, and that nothing was written. */
  refused(run: (draft: Draft) => unknown): ControlRefusal {
    const before = this.root;
    let drafted: Draft | undefined;
    const error = caught(() =>
      this.write((draft) => {
        drafted = draft;
        run(draft);
      }),
    );
    expect(error).toBeInstanceOf(ControlRefusal);
    expect(this.root).toBe(before);
    expect(drafted?.changes.filter((change) => !('value' in change && change.value === 'counters'))).toEqual([]);
    return error as ControlRefusal;
  }
}

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was refused');
}
