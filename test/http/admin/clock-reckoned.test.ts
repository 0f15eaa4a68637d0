// The clock against one that is reckoned by hand.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { running } from '../../support/clock-of.ts';
import { noon } from '../../support/sachet.ts';

interface Reckoned {
  now: number;
  frozen: boolean;
  rate: number;
}
type Running = Awaited<ReturnType<typeof running>>;

const milliseconds = fc.integer({ min: 0, max: 100_000 });
/** What a tester and the time do, to the clock and by hand. */
const deed = fc.oneof(
  fc.record({ frozen: fc.boolean(), rate: fc.constantFrom(1, 2, 60) }, { requiredKeys: [] }).map((patch) => ({
    to: (clock: Running) => clock.set(patch),
    by: (hand: Reckoned) => void Object.assign(hand, patch),
  })),
  milliseconds.map((by) => ({
    to: (clock: Running) => clock.advance({ seconds: by / 1000 }),
    by: (hand: Reckoned) => {
      hand.now += by;
    },
  })),
  milliseconds.map((passing) => ({
    to: async (clock: Running) => clock.move(passing),
    by: (hand: Reckoned) => {
      hand.now += hand.frozen ? 0 : passing * hand.rate;
    },
  })),
);

test('however a clock is turned and time goes by, it shows what a reckoner by hand does', async () => {
  const property = fc.asyncProperty(fc.array(deed, { maxLength: 12 }), async (deeds) => {
    const clock = await running(`${noon}+`);
    const hand: Reckoned = { now: Date.parse(noon), frozen: false, rate: 1 };
    for (const { to, by } of deeds) {
      await to(clock);
      by(hand);
      expect(await clock.shown()).toEqual({ ...hand, now: new Date(hand.now).toISOString() });
    }
  });
  await fc.assert(property, { numRuns: 40 });
});
