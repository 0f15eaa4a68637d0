// Whether size costs: pages of a million fulfillments beside those of a thousand, orders with a hundred thousand stored beside none.
import { removeFolder } from '../folders.mjs';
import { compareRates } from '../load/compare.mjs';
import { withServers } from '../servers/children.mjs';
import { startSachet } from '../servers/start.mjs';
import { control, logIn, read } from '../service/client.mjs';
import { madeId, writeFixtures } from '../service/fixtures.mjs';
import { acceptedOrder, checkOrder, orderRequest } from '../service/order.mjs';
import { checkPages, pageRequest, readPages } from '../service/pages.mjs';

const manyFulfillments = 1_000_000;
const fewFulfillments = 1_000;
const storedOrders = 100_000;
/** A million records need more heap than Node gives by itself; both servers get it. They are read and checked for minutes. */
const large = { node: ['--max-old-space-size=12000'], withinMilliseconds: 600_000 };
const mostRecords = ['--max-records', '2000000'];

export async function measureMillion(context) {
  const folders = [manyFulfillments, fewFulfillments].map((fulfillments) => writeFixtures({ fulfillments }));
  const starts = folders.map(
    (folder) => () => startSachet(context.pinning, ['--fixtures', folder, ...mostRecords], large),
  );
  const figures = await withServers(starts, async (many, few) => {
    const sides = [];
    for (const server of [many, few]) {
      const token = await logIn(server);
      const pages = await readPages(server, token, 1);
      sides.push({ server, token, requests: [pageRequest(token)], check: () => checkPages(server, token, pages) });
    }
    const compared = await compareRates(context, ...sides);
    for (const { check } of sides) await check();
    await read(many, sides[0].token, `/v2/fulfillments/${madeId('fulfillments', manyFulfillments - 1)}`);
    return compared;
  });
  folders.forEach(removeFolder);
  return { million: figures };
}

export async function measureStoredOrders(context) {
  const fixtures = writeFixtures({ orders: storedOrders });
  const empty = writeFixtures({ orders: 0 });
  const starts = [fixtures, empty].map((folder) => () => startSachet(context.pinning, ['--fixtures', folder], large));
  const figures = await withServers(starts, async (stored, none) => {
    const sides = [await ordersOf(stored), await ordersOf(none)];
    return compareRates(context, ...sides);
  });
  [fixtures, empty].forEach(removeFolder);
  return { storedOrders: figures };
}

/** Orders to one server, which is reset before each round, so that each begins with as many stored. */
async function ordersOf(server) {
  const token = await logIn(server);
  const body = await acceptedOrder(server, token);
  await checkOrder(server, token, body);
  const before = () => control(server, 'POST', '/sandboxes/stage/reset');
  return { server, requests: [orderRequest(token, body)], before };
}
