// What a server keeps in memory of a database that others share: what it is asked for, and what is there.
import { expect, test, vi } from 'vitest';
import { createEngine } from '../../../src/app.ts';
import type { Engine } from '../../../src/engine.ts';
import { exportState } from '../../../src/sandbox/state-document.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { databaseOfTest, enginesAt, storeAt } from '../../support/postgres/stores.ts';
import { fixtures, noon } from '../../support/sachet.ts';

test.skipIf(postgresMissing())(
  'what a server is not asked for goes from its memory, and comes back with the next call',
  async () => {
    const store = await storeAt(await databaseOfTest());
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    try {
      const engine = createEngine({ fixtures, store, clock: noon });
      const loads = vi.spyOn(store, 'load');
      const stage = () => engine.sandboxes.stage();
      const before = await stage();
      expect(await stage()).toBe(before);
      expect(loads.mock.calls.filter(([, version]) => version === 0)).toHaveLength(1);
      vi.advanceTimersByTime(6 * 60_000);
      const again = await stage();
      expect(again).not.toBe(before);
      expect(exportState(again.state, 0)).toEqual(exportState(before.state, 0));
      engine.close();
    } finally {
      vi.useRealTimers();
    }
  },
);

test.skipIf(postgresMissing())(
  'what another server has deleted goes from the memory of one that is not asked for it any more',
  async () => {
    const url = await databaseOfTest();
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    try {
      const [one, two] = (await enginesAt(url, 2)) as [Engine, Engine];
      const who = { name: 'w1', environment: 'stage', madeByLogin: false };
      const made = await one.sandboxes.create(who, {});
      const seen = await two.sandboxes.get('w1');
      await one.sandboxes.remove(made);
      expect(seen?.isGone).toBe(false);
      vi.advanceTimersByTime(30_000);
      await vi.waitUntil(() => seen?.isGone);
    } finally {
      vi.useRealTimers();
    }
  },
);
