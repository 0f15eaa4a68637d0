// Two tenants of one server: how long one waits, alone and while the other calls at ten times its rate.
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { logIn } from '../support/command.ts';
import { faultsOf, isShort, ofTime, shown, sized, tell } from './figure.ts';
import { type Load, loadFaults, offerLoad } from './offered-load.ts';
import { startStressed } from './server.ts';

const rounds = sized(6, 3);
const seconds = sized(20, 3);
/**
 * How many times as long the small tenant may wait. Of the 150 calls of a short round the second slowest is the p99, on a server that has just begun:
 * the same code was seen at 1.1 and at 3.8 there, so the short form finds what is grossly wrong.
 */
const most = sized(2, 8);

test('a tenant at ten times the load does not double the p99 of another', ofTime, async (context) => {
  const { url, ready } = await startStressed();
  const [victim, greedy] = [await logIn(ready, 'demo+a'), await logIn(ready, 'demo+b')];
  const small = () => offerLoad({ url, token: victim, perSecond: 50, seconds, warmUpSeconds: 1 });
  const both = async () => {
    const others = offerLoad({ url, token: greedy, perSecond: 500, seconds: seconds + 3 });
    // What it costs a client to start is no load of the server.
    await sleep(1000);
    return Promise.all([small(), others]);
  };
  await both();
  const found: Found = { alone: [], together: [], beside: [] };
  for (let round = 0; round < rounds; round += 1) {
    found.alone.push(await small());
    const [mine, others] = await both();
    found.together.push(mine);
    found.beside.push(others);
  }
  tellNeighbors(context, found);
});

interface Found {
  /** The small tenant's. */
  readonly alone: Load[];
  readonly together: Load[];
  /** The large one's. */
  readonly beside: Load[];
}

function tellNeighbors(context: Parameters<typeof tell>[0], { alone, together, beside }: Found): void {
  const ratio = medianP99(together) / medianP99(alone);
  tell(context, {
    row: 'neighbors',
    done: `Two sandboxes of one server, the first at 50 requests/s, the second at 500; ${rounds} rounds: ${seconds} s the first alone, then ${seconds} s both`,
    wanted: `the first one's p99 at most ${isShort ? `${most} times as high` : 'doubles'} (median of the rounds)`,
    measured: `${spread(alone)} alone, ${spread(together)} together: ${shown(ratio, 2)} times as high`,
    faults: faultsOf(Object.assign({}, ...[...alone, ...together, ...beside].map(loadFaults))),
    ofMachine: faultsOf({ 'the p99 rises too much': ratio > most }),
  });
}

const p99s = (loads: readonly Load[]): number[] => loads.map(({ p99 }) => p99).sort((one, other) => one - other);

function medianP99(loads: readonly Load[]): number {
  const sorted = p99s(loads);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

function spread(loads: readonly Load[]): string {
  const sorted = p99s(loads);
  return `p99 ${shown(medianP99(loads), 1)} ms (${shown(sorted[0] ?? 0, 1)} to ${shown(sorted.at(-1) ?? 0, 1)})`;
}
