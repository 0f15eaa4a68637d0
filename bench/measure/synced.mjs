// Orders that stand on the disk before they are answered, beside orders in memory.
import { makeFolder, removeFolder } from '../folders.mjs';
import { compareRates } from '../load/compare.mjs';
import { withServers } from '../servers/children.mjs';
import { startSachet } from '../servers/start.mjs';
import { logIn } from '../service/client.mjs';
import { watchJournal } from '../service/journal.mjs';
import { acceptedOrder, checkOrder, orderRequest } from '../service/order.mjs';

export async function measureSynced(context) {
  const folder = makeFolder('state');
  const { pinning } = context;
  const starts = [() => startSachet(pinning, ['--state', folder, '--sync', 'always']), () => startSachet(pinning)];
  const figures = await withServers(starts, async (synced, memory) => {
    const sides = [await ordersOf(synced), await ordersOf(memory)];
    const journal = await watchJournal(synced, sides[0].token);
    const compared = await compareRates(context, ...sides);
    context.journals.push(await journal(sides[0].requests));
    return compared;
  });
  removeFolder(folder);
  return { synced: figures };
}

async function ordersOf(server) {
  const token = await logIn(server);
  const body = await acceptedOrder(server, token);
  await checkOrder(server, token, body);
  return { server, token, requests: [orderRequest(token, body)] };
}
