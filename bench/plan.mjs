// The measurements by name, in the order in which they are made.
import { figuresOf } from './goals.mjs';
import { measureFulfillment, measurePage, measurePages } from './measure/fulfillments.mjs';
import { measureInProcess } from './measure/in-process.mjs';
import { measureAfterLoad, measureIdle } from './measure/memory.mjs';
import { measureOrders } from './measure/orders.mjs';
import { measurePeer } from './measure/peers.mjs';
import { measureProducts } from './measure/products.mjs';
import { measureLive, measureMaking } from './measure/sandboxes.mjs';
import { measureMillion, measureStoredOrders } from './measure/size.mjs';
import { measureStart } from './measure/start.mjs';
import { measureSynced } from './measure/synced.mjs';
import { peers } from './peers/peers.mjs';

/** Each gives its figures by the ids of goals.mjs; `quick` ones belong to the short form. */
export const plan = [
  { name: 'orders', measure: measureOrders, figures: ['orders'], quick: true },
  { name: 'products', measure: measureProducts, figures: ['products'], quick: true },
  { name: 'page', measure: measurePage, figures: ['page'], quick: true },
  { name: 'pages', measure: measurePages, figures: ['pages'], quick: true },
  { name: 'fulfillment', measure: measureFulfillment, figures: ['fulfillment'], quick: true },
  { name: 'start', measure: measureStart, figures: ['start'], quick: true },
  { name: 'in-process', measure: measureInProcess, figures: ['inProcess', 'inProcessFetch'], quick: true },
  { name: 'idle', measure: measureIdle, figures: ['idle'], quick: true },
  { name: 'after-load', measure: measureAfterLoad, figures: ['afterLoad'] },
  {
    name: 'sandboxes',
    measure: measureMaking,
    figures: ['controlCall', 'makeSandbox', 'resetSandbox', 'makeSandboxInner', 'resetSandboxInner'],
  },
  { name: 'live', measure: measureLive, figures: ['live'] },
  { name: 'million', measure: measureMillion, figures: ['million'] },
  { name: 'stored-orders', measure: measureStoredOrders, figures: ['storedOrders'] },
  { name: 'synced', measure: measureSynced, figures: ['synced'], quick: true },
  ...peers.map((peer) => ({
    name: peer.name ?? peer.key,
    measure: measurePeer(peer),
    figures: Object.values(figuresOf(peer)),
  })),
];
