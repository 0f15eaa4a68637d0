// What an order costs in a sandbox with many orders, beside one with few: the same server, the same database, in turn.
import { alternate, summarize } from '../load/alternate.mjs';
import { orderRate, removed, sandboxWithOrder, withReplicas } from './replicas.mjs';

/** So many orders are timed in each turn: few beside those that are there. */
const timed = 500;

/** How often as much as in a small sandbox an order costs in a grown one: `{ few, many, value, runs }`, a spread of ratios of time. */
export function measureGrowth({ settings, store }, few) {
  const { grown: many, connections, rounds } = settings;
  return withReplicas(store, 1, async ([server]) => {
    const filled = async (name, answers) => {
      const sandbox = await sandboxWithOrder(server, name);
      await orderRate([server], [sandbox], { answers }, connections);
      return sandbox;
    };
    const timeIn = async (sandbox) => 1 / (await orderRate([server], [sandbox], { answers: timed }, connections));
    const grown = await filled('bench-many', many);
    // One that is new each time: it stays as small as it is said to be.
    const timeInSmall = async () => {
      const small = await filled('bench-few', few);
      return timeIn(small).finally(() => removed(server, small));
    };
    const { value, runs } = summarize(await alternate(rounds, () => timeIn(grown), timeInSmall));
    await removed(server, grown);
    return { few, many, value, runs };
  });
}
