// Orders per second in one sandbox and in many: in memory, by one server over the database, by three; in turn, so that all meet the same machine.
import { spread } from '../load/alternate.mjs';
import { orderRate, removed, sandboxWithOrder, withReplicas } from './replicas.mjs';

const servers = [
  { who: 'memory', count: 1 },
  { who: 'one server', count: 1, isShared: true },
  { who: 'three servers', count: 3, isShared: true },
];

/** Rows `{ who, sandboxes, value }`, the value a spread of orders per second. */
export async function measureOrderRates({ settings, store }) {
  const rows = [];
  for (const sandboxes of [1, settings.sandboxes]) {
    const runs = servers.map(() => []);
    for (let round = 0; round < settings.rounds; round += 1)
      for (const [at, { count, isShared }] of servers.entries())
        runs[at].push(await measureOnce(isShared ? store : undefined, { count, sandboxes }, settings));
    for (const [at, { who }] of servers.entries())
      rows.push({ who, sandboxes, value: spread(runs[at]), runs: runs[at] });
  }
  return rows;
}

function measureOnce(store, { count, sandboxes }, { roundSeconds, warmUpSeconds, connections }) {
  return withReplicas(store, count, async (replicas) => {
    const made = [];
    for (let n = 0; n < sandboxes; n += 1) made.push(await sandboxWithOrder(replicas[0], `bench-${n}`));
    await orderRate(replicas, made, { seconds: warmUpSeconds }, connections);
    const rate = await orderRate(replicas, made, { seconds: roundSeconds }, connections);
    for (const sandbox of made) await removed(replicas[0], sandbox);
    return rate;
  });
}
