// A parallel test worker is isolated by its login alone (product.md, "Addresses"): fifty at once on one Sachet, each with faults and
// resets of its own, see nothing of one another.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testSachet } from '../support/sachet.ts';
import { bends, Worker } from '../support/worker.ts';

const workers = 50;
/** One of a worker: reset, login, one bend that nobody else has in that moment but by chance, orders until one is made, a look around. */
const roundsEach = 4;

/** The bend of each round of each worker, drawn once and for all. */
const drawn = fc.sample(fc.tuple(fc.constantFrom(...Object.keys(bends)), fc.integer({ min: 1, max: 4 })), {
  seed: 20_261_120,
  numRuns: workers * roundsEach,
});

test('fifty workers at once, in 200 rounds with faults and resets of their own, see none of the others', async () => {
  const sachet = testSachet();
  const stage = sachet.control.sandbox('stage');
  const before = await stage.state.get();
  const works = async (number: number) => {
    const name = `w${number}`;
    await sachet.login(`demo+${name}`);
    const worker = new Worker(sachet, name);
    for (let round = 0; round < roundsEach; round += 1) {
      const [kind = '', n = 1] = drawn[number * roundsEach + round] ?? [];
      const bend = bends[kind]?.(n);
      if (!bend) throw new Error(`there is no bend "${kind}"`);
      await worker.round(`${name} ${round} ${kind} ${n}`, bend);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, number) => works(number)));
  expect(new Set(drawn.map(([kind]) => kind)).size).toBe(Object.keys(bends).length);
  expect(await stage.state.get()).toEqual(before);
  expect((await stage.requests.list()).requests).toEqual([]);
  expect((await sachet.control.list()).sandboxes).toHaveLength(workers + 2);
});
