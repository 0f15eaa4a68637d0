// What the tester turns by hand is over every scenario, and is the tester's: a scenario that is taken back takes none of it along.
import { describe, expect, test } from 'vitest';
import { times } from '../support/bent.ts';
import { layered, overlapping, pag30 } from '../support/layers.ts';

describe("the tester's own hand", () => {
  test('over a scenario switch wins, and stays when the scenario is taken back', async () => {
    const { stage, statuses } = await layered({ limit: { switches: { rate_limit: { burst: 9 } } } });
    await stage.scenarios.apply('limit');
    expect(await statuses(1)).toEqual([429]);
    await stage.switches.set({ rate_limit: { burst: 2 } });
    expect((await stage.switches.get()).rate_limit).toEqual({ burst: 2, hits: 0, remaining: 2 });
    await stage.scenarios.take_back('limit');
    expect(await statuses(3)).toEqual([429, 429, 200]);
  });

  test('of null turns the switch off for good: no layer beneath comes up', async () => {
    const { stage, statuses } = await layered({
      limit: { switches: { rate_limit: { burst: 9 } } },
      other: { switches: { rate_limit: { burst: 8 } } },
    });
    await stage.switches.set({ rate_limit: { burst: 7 } });
    for (const name of ['limit', 'other']) await stage.scenarios.apply(name);
    await stage.switches.set({ rate_limit: null });
    expect(await statuses(1)).toEqual([200]);
    for (const name of ['other', 'limit']) await stage.scenarios.take_back(name);
    expect((await stage.switches.get()).rate_limit).toBeNull();
  });

  test('from before a scenario is in force again after it, with what remained', async () => {
    const { stage, statuses } = await layered({ limit: { switches: { rate_limit: { burst: 1, retry_after: 9 } } } });
    await stage.switches.set({ rate_limit: { burst: 3 } });
    expect(await statuses(1)).toEqual([429]);
    await stage.scenarios.apply('limit');
    expect((await stage.switches.get()).rate_limit).toMatchObject({ burst: 1, retry_after: 9, scenario: 'limit' });
    expect(await statuses(2)).toEqual([429, 200]);
    await stage.scenarios.take_back('limit');
    expect((await stage.switches.get()).rate_limit).toEqual({ burst: 3, hits: 1, remaining: 2 });
    expect(await statuses(3)).toEqual([...times(2, 429), 200]);
  });

  test('of a reading wins over the scenarios that are applied, and stays', async () => {
    const { stage } = await layered(overlapping);
    for (const name of ['one', 'two']) await stage.scenarios.apply(name);
    await stage.assumptions.set({ next_cursor: 'link_header' });
    expect(await stage.assumptions.get()).toMatchObject({ next_cursor: 'link_header', list_order: 'oldest_first' });
    for (const name of ['one', 'two']) await stage.scenarios.take_back(name);
    expect(await stage.assumptions.get()).toMatchObject({ next_cursor: 'link_header', list_order: 'newest_first' });
  });

  test("takes a scenario's fault out, and the scenario can be taken back all the same", async () => {
    const { stage } = await layered(overlapping);
    await stage.scenarios.apply('one');
    expect((await stage.faults.get('one-1')).scenario).toBe('one');
    await stage.faults.delete('one-1');
    await stage.scenarios.take_back('one');
    expect((await stage.faults.list()).faults).toEqual([]);
    expect((await stage.records.pags.get(pag30)).status).toBe('Active');
  });
});
