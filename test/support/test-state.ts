// Transactions on the state of a sandbox, without a server.
import { expect } from 'vitest';
import { ControlRefusal } from '../../src/contract/control/control-operation.ts';
import { resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { nodeHashes } from '../../src/node/platform.ts';
import type { WriteContext } from '../../src/sandbox/sandbox-world.ts';
import { frozenClock } from '../../src/state/clock.ts';
import { documentOf } from '../../src/state/persistence.ts';
import { deepFreeze, State, seedOf } from '../../src/state/state.ts';
import { fixtures, noon } from './sachet.ts';

const seed = seedOf(fixtures, deepFreeze);

/** The context of writes at noon. */
export const writeContext: WriteContext = { now: Date.parse(noon), hashes: nodeHashes };

/** A sandbox of the shipped fixtures with a frozen clock, whose time is in milliseconds. */
export function freshState(name = 'stage', now = Date.parse(noon), maxRecords = Number.POSITIVE_INFINITY): State {
  const identity = {
    name,
    environment: 'stage',
    signingKey: '00',
    seed: name,
    madeByLogin: false,
    ownKeyHash: null,
    ttlSeconds: null,
  };
  const made = { identity, clock: frozenClock(now), readings: resolveChoices(), at: now };
  return new State(seed, made, { freeze: deepFreeze, maxRecords });
}

/** The document that a store keeps. */
export const storedDocument = (state: State) => documentOf(state, 1, 'fixtures');

/** The state of a sandbox, changed in transactions. */
export class TestState {
  readonly state: State;

  constructor(state = freshState()) {
    this.state = state;
  }

  write<T>(run: (state: State) => T): T {
    return this.state.transaction(run).result;
  }

  /** Expects a refusal that writes nothing, and returns it. */
  expectRefusal(run: (state: State) => unknown): ControlRefusal {
    const before = storedDocument(this.state);
    let error: unknown;
    try {
      this.write(run);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(ControlRefusal);
    expect(storedDocument(this.state)).toEqual(before);
    return error as ControlRefusal;
  }
}
