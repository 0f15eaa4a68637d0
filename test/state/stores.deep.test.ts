// The stores that need only this process and its disk (test/node/postgres has the one for PostgreSQL), and random requests to two servers over one.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { StateFolder } from '../../src/stores/folder/state-folder.ts';
import { count, createChaosStore, mark, marks, moved, plain, stageOver } from '../support/chaos-store.ts';
import { folder } from '../support/command.ts';
import { hastyDisk } from '../support/hasty-disk.ts';
import { someOrder } from '../support/order-requests.ts';
import { hour, testSachet } from '../support/sachet.ts';
import { storeSuite } from './store-suite.ts';

storeSuite('memory with conflicts', async () => {
  const store = createChaosStore();
  return { store, reopen: async () => store };
});

storeSuite('a folder', async () => {
  const path = folder();
  // Small, so that some tests compact the log and others do not.
  const options = { fs: hastyDisk, path, sync: 'always', notify: () => undefined, compactAfterBytes: 3000 } as const;
  const store = await StateFolder.open(options);
  let current = store;
  onTestFinished(() => current.close());
  const reopen = async () => {
    await current.close();
    current = await StateFolder.open(options);
    return current;
  };
  return { store, reopen };
});

test('every write happens once, and both servers end with the same state', async () => {
  const write = fc.record({
    id: fc.uuid(),
    server: fc.nat(1),
    kind: fc.constantFrom('mark', 'count'),
    milliseconds: fc.integer({ min: 1, max: 1000 }),
    /** Whether the next write waits for this one. */
    waits: fc.boolean(),
  });
  const property = fc.asyncProperty(fc.array(write, { maxLength: 25 }), fc.boolean(), async (writes, everyThird) => {
    const store = createChaosStore({ everyThird, isShared: true });
    const [first, second] = [await stageOver(store), await stageOver(store)];
    const running: Promise<number>[] = [];
    for (const { id, server, kind, milliseconds, waits } of writes) {
      const sandbox = server ? first : second;
      const writing = kind === 'mark' ? mark(sandbox, id, milliseconds) : count(sandbox, 'a', milliseconds);
      running.push(writing);
      if (waits) await writing;
    }
    const results = await Promise.all(running);
    await Promise.all([first.catchUp(), second.catchUp()]);
    expect(plain(first)).toEqual(plain(second));
    const done = writes
      .map(({ id, kind }, index) => ({ id, kind, result: results[index] ?? 0 }))
      .toSorted((one, other) => one.result - other.result);
    // A mark returns the time that it set the clock to.
    expect(await marks(first)).toEqual(done.filter(({ kind }) => kind === 'mark').map(({ id }) => id));
    const numbers = done.filter(({ kind }) => kind === 'count').map(({ result }) => result);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(first.state.counters.a ?? 0).toBe(numbers.length);
    expect(moved(first)).toBe(writes.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  });
  await fc.assert(property, { numRuns: 120 });
});

test('two servers take the same due steps as one server alone', async () => {
  const servers = async (everyThird: boolean) => {
    const store = createChaosStore({ everyThird, isShared: true });
    const options = { store, assumptions: { fulfillment_timeline: 'automatic' } } as const;
    const both = [testSachet(options), testSachet(options)] as const;
    const stage = both[0].control.sandbox('stage');
    await stage.switches.set({ token_expiry: { lifetime_seconds: 30 * 86_400 } });
    const { token, post } = await both[0].login();
    for (let n = 0; n < 3; n += 1) await post('/v2/orders', someOrder());
    const look = (server: number) => both[server as 0 | 1].control.sandbox('stage').records.fulfillments.list();
    const act = async ({ server, hours, kind }: { server: number; hours: number; kind: string }) => {
      const sachet = both[server as 0 | 1];
      if (kind === 'look') await look(server);
      else if (kind === 'order') await sachet.client(token).post('/v2/orders', someOrder());
      else await sachet.advance(hours * hour);
      if (kind === 'all') await Promise.all([look(server), look(1 - server)]);
    };
    return { both, stage, act, look };
  };
  const action = fc.record({
    server: fc.nat(1),
    hours: fc.nat(48),
    kind: fc.constantFrom('look', 'advance', 'order', 'all'),
  });
  const property = fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
    const [together, alone] = [await servers(true), await servers(false)];
    for (const one of actions) {
      await together.act(one);
      await alone.act({ ...one, server: 0 });
    }
    expect(await together.stage.state.get()).toEqual(await alone.stage.state.get());
    await together.look(1);
    const sandboxes = await Promise.all(together.both.map((sachet) => sachet.sandbox()));
    for (const sandbox of sandboxes) await sandbox.catchUp();
    const [first, second] = sandboxes.map(plain);
    expect(first).toEqual(second);
  });
  await fc.assert(property, { numRuns: 12 });
});
