// The head of every page: the sandbox, its time, and its overrides.
import { expect, test } from 'vitest';
import { bent } from '../support/bent.ts';
import { consoleOf } from '../support/console.ts';

async function head() {
  const world = await bent();
  const words = async () => (await consoleOf(world.sachet).get('_top/stage')).text;
  return { ...world, words };
}

test('says the time and that there are no overrides', async () => {
  const { words } = await head();
  expect(await words()).toMatch(/Nov 20, 2026, 12:00:00 UTC frozen No overrides$/);
});

test('names one override, and counts several', async () => {
  const { stage, words } = await head();
  await stage.switches.set({ rate_limit: { burst: 3 } });
  expect(await words()).toMatch(/Rate limit rate_limit$/);
  await stage.assumptions.set({ next_cursor: 'meta' });
  expect(await words()).toMatch(/2 overrides active$/);
  await stage.switches.clear();
  expect(await words()).toMatch(/Next cursor: meta next_cursor$/);
  await stage.assumptions.set({ next_cursor: null });
  await stage.faults.create({ id: 'slow', delay: { milliseconds: 1 } });
  expect(await words()).toMatch(/Fault slow$/);
});

test('a scenario is one, whatever it sets', async () => {
  const { stage, words } = await head();
  await stage.scenarios.apply('rate-limit-burst');
  expect(await words()).toMatch(/Scenario: Rate limit burst rate-limit-burst$/);
});

test('a switch that is used up is no override', async () => {
  const { stage, client, words } = await head();
  await stage.switches.set({ rate_limit: { burst: 1 } });
  expect((await client.get('/v2/products')).status).toBe(429);
  expect(await words()).toMatch(/No overrides$/);
});

test('of a sandbox that there is none of it says nothing: the page does', async () => {
  const { sachet } = await head();
  const seen = await consoleOf(sachet, 'nowhere').get('_top/nowhere');
  expect([seen.status, seen.html]).toEqual([204, '']);
});
