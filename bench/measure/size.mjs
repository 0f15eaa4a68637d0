// Whether size costs: pages of a million fulfillments beside those of a thousand, orders with a hundred thousand stored beside none.
import { compareRates } from '../load/compare.mjs';
import { withServers } from '../servers/children.mjs';
import { startSachet } from '../servers/start.mjs';
import { control, logIn, read } from '../service/client.mjs';
import { madeId, withFixtures } from '../service/fixtures.mjs';
import { ordersOf } from '../service/order.mjs';
import { checkPages, pageRequest, readPages } from '../service/pages.mjs';

const manyFulfillments = 1_000_000;
const fewFulfillments = 1_000;
const storedOrders = 100_000;
/** A million records need more heap than Node gives by itself; both servers get it. They are read and checked for minutes. */
const large = { node: ['--max-old-space-size=12000'], withinMilliseconds: 600_000 };
const mostRecords = ['--max-records', '2000000'];

export async function measureMillion(context) {
  const sizes = [manyFulfillments, fewFulfillments].map((fulfillments) => ({ fulfillments }));
  const million = await withSizes(context, sizes, mostRecords, async (...servers) => {
    const sides = [];
    for (const server of servers) sides.push(await pagesOf(server));
    const compared = await compareRates(context, ...sides);
    for (const { check } of sides) await check();
    const [{ server, token }] = sides;
    await read(server, token, `/v2/fulfillments/${madeId('fulfillments', manyFulfillments - 1)}`);
    return compared;
  });
  return { million };
}

async function pagesOf(server) {
  const token = await logIn(server);
  const pages = await readPages(server, token, 1);
  return { server, token, requests: [pageRequest(token)], check: () => checkPages(server, token, pages) };
}

export async function measureStoredOrders(context) {
  const sizes = [{ orders: storedOrders }, { orders: 0 }];
  const measured = await withSizes(context, sizes, [], async (stored, none) =>
    compareRates(context, await resetOrdersOf(stored), await resetOrdersOf(none)),
  );
  return { storedOrders: measured };
}

/** The server is reset before each round, so that each begins with as many stored. */
async function resetOrdersOf(server) {
  return { ...(await ordersOf(server)), before: () => control(server, 'POST', '/sandboxes/stage/reset') };
}

/** Gives `use` two servers, with fixtures of two sizes. */
function withSizes({ pinning }, [sizes, otherSizes], flags, use) {
  const startOf = (fixtures) => () => startSachet(pinning, ['--fixtures', fixtures, ...flags], large);
  return withFixtures(sizes, (fixtures) =>
    withFixtures(otherSizes, (others) => withServers([fixtures, others].map(startOf), use)),
  );
}
