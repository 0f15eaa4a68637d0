// The root that a sandbox of the shipped fixtures begins with, without a server.
import { chooseReadings } from '../../src/contract/readings.ts';
import { frozenClock } from '../../src/control/clock.ts';
import { birthOf, newRoot } from '../../src/state/birth.ts';
import { deepFreeze } from '../../src/state/freeze.ts';
import type { Root } from '../../src/state/root.ts';
import { fixtures } from './sachet.ts';

const birth = birthOf(fixtures, deepFreeze);

/** A fresh root whose clock stands at this time, in milliseconds. */
export function bornRoot(now = 0, name = 'stage'): Root {
  const identity = {
    name,
    environment: 'stage',
    signingKey: '00',
    seed: name,
    madeByLogin: false,
    ownKeyHash: null,
    ttlSeconds: null,
  };
  return newRoot(birth, { identity, clock: frozenClock(now), readings: chooseReadings() });
}
