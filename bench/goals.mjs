// What the benchmark measures and what is aimed at: a row for each figure that it tells, as data.

import { peers } from './peers/peers.mjs';
import { usual } from './usual.mjs';

/** Goals beside other tools, by the tool's key; the others are only shown. */
const peerBounds = { prism: { products: 6, orders: 2.5 }, wiremock: { products: 1.5, orders: 1.5 } };

/** The ids of a peer's two figures. */
export const figuresOf = ({ key }) => ({ products: `${key}Products`, orders: `${key}Orders` });

function peerGoals(peer) {
  const { products, orders } = figuresOf(peer);
  const bounds = peerBounds[peer.key] ?? {};
  const words = (call) => `${call} / ${peer.label}`;
  return [
    { id: products, words: words('GET /v2/products, 20 of them'), bound: bounds.products, direction: 'at least' },
    { id: orders, words: words('POST /v2/orders'), bound: bounds.orders, direction: 'at least' },
  ];
}

/**
 * id: of the figure, as the measurement gives it · words: what is divided by what, or what is told · bound: the goal, none for what is only shown ·
 * direction: on which side of the bound it is met · valueUnit: of the figure; none for a ratio · waits: the server waits for a disk, so it has no
 * need of its whole core · usual, margin: what `--quick` judges it by, of usual.mjs
 */
const rows = [
  { id: 'orders', words: 'POST /v2/orders / JSON echo of node:http', bound: 0.4, direction: 'at least' },
  {
    id: 'products',
    words: 'GET /v2/products, 20 of them / the same bytes by node:http',
    bound: 0.55,
    direction: 'at least',
  },
  {
    id: 'page',
    words: 'GET /v2/fulfillments?limit=20, one page / JSON of the same object by node:http',
    bound: 1.2,
    direction: 'at least',
  },
  {
    id: 'pages',
    words: 'GET /v2/fulfillments?limit=20, 50 pages in turn / JSON of the same objects by node:http',
    bound: 0.4,
    direction: 'at least',
  },
  {
    id: 'fulfillment',
    words: 'GET /v2/fulfillments/{id}, one id / JSON of the same object by node:http',
    bound: 0.8,
    direction: 'at least',
  },
  { id: 'start', words: 'start to first answer / node:http', bound: 2, direction: 'at most' },
  {
    id: 'inProcess',
    words: 'an order at a time, in process / over the port, one prepared connection',
    bound: 1.2,
    direction: 'at least',
  },
  { id: 'inProcessFetch', words: 'an order at a time, in process / over the port, global fetch' },
  { id: 'idle', words: 'resident memory, idle / node:http', bound: 1.5, direction: 'at most' },
  { id: 'afterLoad', words: 'resident memory, after 1,000,000 requests / idle', bound: 2, direction: 'at most' },
  { id: 'controlCall', words: 'a control call that changes nothing, in process', valueUnit: 'µs' },
  { id: 'makeSandbox', words: 'make a sandbox, in process, by the handle', valueUnit: 'µs' },
  { id: 'resetSandbox', words: 'reset a sandbox, in process, by the handle', valueUnit: 'µs' },
  { id: 'makeSandboxInner', words: 'make a sandbox, the state alone', bound: 5, direction: 'at most', valueUnit: 'µs' },
  {
    id: 'resetSandboxInner',
    words: 'reset a sandbox, the state alone',
    bound: 5,
    direction: 'at most',
    valueUnit: 'µs',
  },
  {
    id: 'live',
    words: '10,000 live sandboxes with an order each, resident memory',
    bound: 150,
    direction: 'at most',
    valueUnit: 'MB',
  },
  {
    id: 'million',
    words: 'first page of 20, of 1,000,000 fulfillments / of 1,000',
    bound: 0.85,
    direction: 'at least',
  },
  { id: 'storedOrders', words: 'POST /v2/orders, 100,000 stored / none', bound: 0.95, direction: 'at least' },
  {
    id: 'synced',
    words: 'POST /v2/orders, --state with --sync always / in memory',
    bound: 0.8,
    direction: 'at least',
    waits: true,
  },
  ...peers.flatMap(peerGoals),
];

export const goals = rows.map((goal) => ({ ...goal, ...usual[goal.id] }));
