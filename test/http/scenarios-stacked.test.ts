// Several scenarios at once: each is a layer over those before it, and may be taken back in any order.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bent } from '../support/bent.ts';
import { layered, overlapping, pag30, pagPatch, scenariosOf, stateOf } from '../support/layers.ts';
import { scenarios } from '../support/sachet.ts';

const names = Object.keys(overlapping);

describe('two scenarios that set the same', () => {
  const shown = async ({ stage }: Awaited<ReturnType<typeof layered>>) => [
    (await stage.switches.get()).rate_limit?.burst,
    (await stage.assumptions.get()).next_cursor,
    (await stage.faults.list()).faults.map(({ id }) => id),
    await stage.records.pags.get(pag30),
  ];

  test('the later is in force; taken back, the earlier is again', async () => {
    const [world, alone] = [await layered(overlapping), await layered(overlapping)];
    await alone.stage.scenarios.apply('one');
    for (const name of ['one', 'two']) await world.stage.scenarios.apply(name);
    expect((await shown(world)).slice(0, 3)).toEqual([5, 'header', ['one-1', 'two-1']]);
    await world.stage.scenarios.take_back('two');
    expect(await shown(world)).toEqual(await shown(alone));
  });

  test('the earlier taken back first leaves the later as it is', async () => {
    const world = await layered(overlapping);
    for (const name of ['one', 'two']) await world.stage.scenarios.apply(name);
    await world.stage.scenarios.take_back('one');
    expect((await shown(world)).slice(0, 3)).toEqual([5, 'header', ['two-1']]);
    expect((await world.stage.switches.get()).inactive_pags).toBeNull();
    expect((await world.stage.records.pags.get(pag30)).name).toBe('Two');
  });
});

test.each([
  ['one', 'two', 'three'],
  ['one', 'three', 'two'],
  ['two', 'one', 'three'],
  ['two', 'three', 'one'],
  ['three', 'one', 'two'],
  ['three', 'two', 'one'],
] as const)('three scenarios taken back in the order %s, %s, %s leave all as it was', async (...order) => {
  const { stage } = await layered(overlapping);
  const before = await stateOf(stage);
  for (const name of names) await stage.scenarios.apply(name);
  for (const name of order) await stage.scenarios.take_back(name);
  expect(await stateOf(stage)).toEqual(before);
});

test('any scenarios, applied and taken back in any order, leave all as it was once all are taken back', async () => {
  const taken = [...names, ...scenarios.map(({ name }) => name).filter((name) => name !== 'paging-under-change')];
  const given = { scenarios: [...scenariosOf(overlapping), ...scenarios] };
  const property = fc.asyncProperty(fc.array(fc.constantFrom(...taken), { maxLength: 20 }), async (turns) => {
    const { stage } = await bent(given);
    const before = await stateOf(stage);
    const applied = new Set<string>();
    for (const name of turns) {
      if (applied.delete(name)) await stage.scenarios.take_back(name);
      else {
        applied.add(name);
        await stage.scenarios.apply(name);
      }
    }
    for (const name of applied) await stage.scenarios.take_back(name);
    expect(await stateOf(stage)).toEqual(before);
  });
  await fc.assert(property, { numRuns: 60 });
});

test('a record that the tester changed between two scenarios goes back to the change, not behind it', async () => {
  const { stage } = await layered({ first: pagPatch({ status: 'Inactive' }), second: pagPatch({ name: 'Second' }) });
  await stage.scenarios.apply('first');
  await stage.records.pags.update(pag30, { duration: 31 });
  const mine = await stage.records.pags.get(pag30);
  await stage.scenarios.apply('second');
  await stage.scenarios.take_back('first');
  await stage.scenarios.take_back('second');
  expect(await stage.records.pags.get(pag30)).toEqual(mine);
});

test('a scenario that is over a change of the tester stays whole when one from before the change is taken back', async () => {
  const { stage } = await layered({
    first: pagPatch({ status: 'Inactive' }),
    second: pagPatch({ status: 'Inactive' }),
  });
  await stage.scenarios.apply('first');
  await stage.records.pags.update(pag30, { status: 'In Review' });
  await stage.scenarios.apply('second');
  await stage.scenarios.take_back('first');
  expect((await stage.records.pags.get(pag30)).status).toBe('Inactive');
  await stage.scenarios.take_back('second');
  expect((await stage.records.pags.get(pag30)).status).toBe('In Review');
});

test('a later scenario inherits only from the one right before it: what a third found is given back', async () => {
  const { stage } = await layered({
    first: pagPatch({ status: 'Inactive' }),
    second: pagPatch({ status: 'Inactive' }),
    third: pagPatch({ name: 'Third' }),
  });
  await stage.scenarios.apply('first');
  await stage.records.pags.update(pag30, { status: 'In Review' });
  const mine = await stage.records.pags.get(pag30);
  await stage.scenarios.apply('second');
  const found = await stage.records.pags.get(pag30);
  await stage.scenarios.apply('third');
  await stage.scenarios.take_back('first');
  await stage.scenarios.take_back('third');
  expect(await stage.records.pags.get(pag30)).toEqual(found);
  await stage.scenarios.take_back('second');
  expect(await stage.records.pags.get(pag30)).toEqual(mine);
});
