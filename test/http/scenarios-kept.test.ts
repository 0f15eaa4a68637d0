// Applied scenarios are state: a snapshot and a state document carry them, and where they come to they can be taken back.
import { describe, expect, test } from 'vitest';
import { bent } from '../support/bent.ts';
import { stateOf } from '../support/layers.ts';
import { scenarios } from '../support/sachet.ts';

describe.each(scenarios.map(({ name }) => name))('%s', (name) => {
  /** The state without what the scenario brought, which stays. */
  const withoutNew = ({ data, ...rest }: Awaited<ReturnType<typeof stateOf>>) => {
    const fulfillments = data.fulfillments.slice(0, name === 'paging-under-change' ? -2 : undefined);
    return { ...rest, data: { ...data, fulfillments } };
  };

  test('can be taken back where the state was imported', async () => {
    const { sachet, stage } = await bent();
    const before = await stateOf(stage);
    await stage.scenarios.apply(name);
    const production = sachet.control.sandbox('production');
    await production.state.put(await stage.state.get());
    expect((await production.scenarios.list()).scenarios).toEqual((await stage.scenarios.list()).scenarios);
    await production.scenarios.take_back(name);
    const there = { sandbox: 'production', environment: 'production' };
    expect(withoutNew(await stateOf(production))).toEqual({ ...before, ...there });
  });

  test('is taken back by a restore from before it, and back again by one from after it', async () => {
    const { stage } = await bent();
    const before = await stateOf(stage);
    await stage.snapshots.create({ name: 'before' });
    await stage.scenarios.apply(name);
    const after = await stateOf(stage);
    await stage.snapshots.create({ name: 'after' });
    await stage.snapshots.restore('before');
    expect(await stateOf(stage)).toEqual(before);
    await stage.snapshots.restore('after');
    expect(await stateOf(stage)).toEqual(after);
    await stage.scenarios.take_back(name);
    expect(withoutNew(await stateOf(stage))).toEqual(before);
  });
});
