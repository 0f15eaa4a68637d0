// Sachet beside another tool: the same list of products, and an order, each in turn.
import { empty, withFolder } from '../folders.mjs';
import { figuresOf } from '../goals.mjs';
import { call } from '../load/call.mjs';
import { compareRates } from '../load/compare.mjs';
import { installPeer, Unavailable, versionOf } from '../peers/install.mjs';
import { withServers } from '../servers/children.mjs';
import { freePorts } from '../servers/free-ports.mjs';
import { startPeer, startSachet } from '../servers/start.mjs';
import { bearer, logIn, read } from '../service/client.mjs';
import { withFixtures } from '../service/fixtures.mjs';
import { watchJournal } from '../service/journal.mjs';
import { acceptedOrder, checkOrder, orderRequest } from '../service/order.mjs';
import { checkProducts, productCount } from './products.mjs';

/** @param peer a row of peers.mjs; gives the measurement */
export function measurePeer(peer) {
  return async (context) => {
    try {
      return await withFixtures({ products: productCount }, (fixtures) =>
        withFolder(empty, (folder) => installed(context, peer, fixtures, folder)),
      );
    } catch (error) {
      if (error instanceof Unavailable) return { unavailable: `${versionOf(peer.packages[0])}: ${error.message}` };
      throw error;
    }
  };
}

async function installed(context, peer, fixtures, folder) {
  await installPeer(folder, peer.packages);
  return withServers([() => startSachet(context.pinning, ['--fixtures', fixtures])], async (sachet) => {
    const token = await logIn(sachet);
    const content = await contentOf(sachet, token);
    const [port, otherPort] = await freePorts(2);
    const { words, ...paths } = peer.setUp({ folder, port, otherPort, content });
    const at = { products: '/v2/products', orders: '/v2/orders', ...paths };
    return withServers([() => startPeer(context.pinning, words, folder, port, at.products)], (other) =>
      compared(context, peer, { sachet, token, content, other: { ...other, warmUpSeconds: peer.warmUpSeconds }, at }),
    );
  });
}

async function contentOf(sachet, token) {
  const products = (await read(sachet, token, '/v2/products')).body;
  const order = await acceptedOrder(sachet, token);
  const orderAnswer = (await call(`${sachet.url}/v2/orders`, orderRequest(token, order))).body;
  const openapi = (await call(`${sachet.url}/_docs/openapi.json`)).body;
  return { products, order, orderAnswer, openapi };
}

async function compared(context, peer, { sachet, token, content, other, at }) {
  await checkPeer(other, token, content, at);
  const journal = await watchJournal(sachet, token);
  const list = { path: '/v2/products', headers: bearer(token) };
  const order = orderRequest(token, content.order);
  const sidesOf = (request, path) => [
    { server: sachet, requests: [request] },
    { server: other, requests: [{ ...request, path }] },
  ];
  const products = await compareRates(context, ...sidesOf(list, at.products));
  const orders = await compareRates(context, ...sidesOf(order, at.orders));
  context.journals.push(await journal([order]));
  checkProducts((await read(sachet, token, list.path)).body, content.products);
  await checkOrder(sachet, token, content.order);
  const notes = [`${versionOf(peer.packages[0])}: ${peer.note}`];
  return { [figuresOf(peer).products]: { ...products, notes }, [figuresOf(peer).orders]: orders };
}

/** That the peer answers twenty products, the same ones, and an order. */
async function checkPeer(other, token, { products, order }, at) {
  const idsOf = (body) => JSON.stringify(JSON.parse(body).client_products.map(({ id }) => id));
  const { body } = await read(other, token, at.products);
  if (idsOf(body) !== idsOf(products)) throw new Error(`the peer lists other products: ${body.slice(0, 200)}`);
  const { status, body: placed } = await call(`${other.url}${at.orders}`, orderRequest(token, order));
  if (status !== 201 || !placed.includes('"id"')) throw new Error(`the peer takes no order: ${status} ${placed}`);
}
