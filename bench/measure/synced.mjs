// Orders that stand on the disk before they are answered, beside orders in memory.
import { empty, withFolder } from '../folders.mjs';
import { compareRates } from '../load/compare.mjs';
import { withServers } from '../servers/children.mjs';
import { startSachet } from '../servers/start.mjs';
import { watchJournal } from '../service/journal.mjs';
import { ordersOf } from '../service/order.mjs';

export async function measureSynced(context) {
  return { synced: await withFolder(empty, (folder) => compared(context, folder)) };
}

function compared(context, folder) {
  const { pinning } = context;
  const starts = [() => startSachet(pinning, ['--state', folder, '--sync', 'always']), () => startSachet(pinning)];
  return withServers(starts, async (synced, memory) => {
    const sides = [await ordersOf(synced), await ordersOf(memory)];
    const journal = await watchJournal(synced, sides[0].token);
    const figures = await compareRates(context, ...sides);
    context.journals.push(await journal(sides[0].requests));
    return figures;
  });
}
