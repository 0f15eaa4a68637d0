// A sandbox that is imported goes on as the one that was exported would have: the same seed, frozen clock and calls give the same bytes.
import { expect, test } from 'vitest';
import { type BareSachet, bareSachet } from '../support/bare-sachet.ts';
import { someOrder } from '../support/order-requests.ts';
import { baseOf, Scribe, stateOf } from '../support/transcript.ts';

/** A day of a client, with faults by chance under way. */
async function day(sachet: BareSachet): Promise<readonly string[]> {
  const scribe = new Scribe(sachet, baseOf('stage'));
  for (let round = 0; round < 8; round += 1) {
    await scribe.logIn();
    await scribe.order(someOrder());
    await scribe.ofOrder('POST', '/cancel');
    await scribe.page();
    await scribe.label();
    await scribe.get('/v2/orders?limit=100');
    await scribe.get('/v2/products');
  }
  await sachet.control.sandbox('stage').clock.advance({ by: 'PT12H' });
  return scribe.lines;
}

test('an imported sandbox goes on to the byte as the exported one', async () => {
  const [exported, imported] = [bareSachet(), bareSachet()];
  const from = exported.control.sandbox('stage');
  await from.switches.set({
    token_expiry: { expire_issued: true, lifetime_seconds: 90_000 },
    label_expiry: { expire_issued: true },
    rate_limit: { limit: 40, window_seconds: 86_400 },
  });
  await from.faults.create({ status: 500, probability: 0.4, match: { operation: 'orders.create' } });
  await from.scenarios.apply('lost-answer');
  await from.assumptions.set({ rate_limit: '100/60s' });
  await day(exported);
  await imported.control.sandbox('stage').state.put(await from.state.get());
  expect(await stateOf(imported, 'stage')).toEqual(await stateOf(exported, 'stage'));
  for (let days = 0; days < 3; days += 1) expect(await day(imported)).toEqual(await day(exported));
  expect(await stateOf(imported, 'stage')).toEqual(await stateOf(exported, 'stage'));
});

test('a token and a label of the exported sandbox are judged alike in the imported one', async () => {
  const [exported, imported] = [bareSachet(), bareSachet()];
  const scribe = new Scribe(exported, baseOf('stage'));
  await scribe.logIn();
  await exported.control.sandbox('stage').switches.set({ token_expiry: { expire_issued: true } });
  await imported.control.sandbox('stage').state.put(await exported.control.sandbox('stage').state.get());
  const ends = await Promise.all(
    [exported, imported].map(async (sachet) => {
      const same = scribe.movedTo(sachet);
      await same.get('/v2/products');
      await same.refresh();
      await same.get('/v2/products');
      return same.lines;
    }),
  );
  expect(ends[1]).toEqual(ends[0]);
  expect(ends[0]?.map((line) => /\[(\d+),/.exec(line)?.[1])).toEqual(['401', '200', '200']);
});
