// Servers over one database, and sandboxes of theirs: with an order that is accepted, and the bytes that make it.

import { measureRate } from '../load/rate.mjs';
import { requestBytes } from '../load/request-bytes.mjs';
import { withServers } from '../servers/children.mjs';
import { startSachet } from '../servers/start.mjs';
import { control, logIn } from '../service/client.mjs';
import { acceptedOrder, orderRequest } from '../service/order.mjs';

const adminKey = 'the-key-of-the-benchmark';

/** Runs `use(servers)` with so many servers over a database; without one, a server in memory. */
export function withReplicas(store, count, use) {
  const flags = store === undefined ? [] : ['--store', store];
  const start = () => startSachet({ pinned: false }, [...flags, '--admin-key', adminKey]);
  return withServers(
    Array.from({ length: count }, () => start),
    (...servers) => use(servers),
  );
}

/** Makes a sandbox; gives its name, its base URL's path, and the request of an order there. */
export async function sandboxWithOrder(server, name) {
  await control(server, 'POST', '/sandboxes', { name });
  const base = `/sandboxes/${name}`;
  const inside = { ...server, url: server.url + base };
  const token = await logIn(inside);
  const { path, ...request } = orderRequest(token, await acceptedOrder(inside, token));
  return { name, request: { ...request, path: base + path } };
}

export const removed = (server, { name }) => control(server, 'DELETE', `/sandboxes/${name}`);

/** Orders per second over all servers: each connection has one server, each request the next sandbox. */
export async function orderRate(servers, sandboxes, until, connections) {
  const rates = await Promise.all(
    servers.map(({ url }, at) => {
      const requests = sandboxes.map(({ request }) => requestBytes(url, request));
      // Not all servers are at the same sandbox.
      const turned = [...requests.slice(at), ...requests.slice(0, at)];
      return measureRate(url, turned, until, Math.ceil(connections / servers.length));
    }),
  );
  return rates.reduce((sum, { perSecond }) => sum + perSecond, 0);
}
