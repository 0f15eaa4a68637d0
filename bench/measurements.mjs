// The three measurements of Sachet against the raw server: orders posted, products read, time to the first answer.
import { performance } from 'node:perf_hooks';
import { call, jsonHeaders } from './call.mjs';
import { startRaw, startSachet } from './children.mjs';
import { measureRate, requestBytes } from './load.mjs';
import { acceptedOrder, logIn, readProducts } from './order.mjs';
import { alternate, summarize } from './pairs.mjs';

export function measureOrders(pinning, settings) {
  return withServers(pinning, async (sachet, raw) => {
    const token = await logIn(sachet);
    const body = await acceptedOrder(sachet, token);
    const request = { method: 'POST', path: '/v2/orders', headers: jsonHeaders(token), body };
    return { name: 'POST /v2/orders', ...(await compareRates(sachet, raw, request, settings)) };
  });
}

export function measureProducts(pinning, settings) {
  return withServers(pinning, async (sachet, raw) => {
    const token = await logIn(sachet);
    const { type, body } = await readProducts(sachet, token);
    await call(raw.url, { method: 'PUT', headers: { 'content-type': type }, body });
    const request = { path: '/v2/products', headers: { authorization: `Bearer ${token}` } };
    return { name: 'GET /v2/products', ...(await compareRates(sachet, raw, request, settings)) };
  });
}

export async function measureStarts(pinning, { starts }) {
  const pairs = await alternate(
    starts,
    () => timeStart(startSachet, pinning),
    () => timeStart(startRaw, pinning),
  );
  return { name: 'start to first answer', unit: 'ms', ...summarize(pairs) };
}

async function compareRates(sachet, raw, request, { rounds, roundSeconds }) {
  let generatorBusy = 0;
  const rateOf = ({ url }) => {
    const bytes = requestBytes(url, request);
    return async () => {
      const { perSecond, busy } = await measureRate(url, bytes, roundSeconds);
      generatorBusy = Math.max(generatorBusy, busy);
      return perSecond;
    };
  };
  const pairs = await alternate(rounds, rateOf(sachet), rateOf(raw));
  return { unit: 'requests/s', ...summarize(pairs), generatorBusy };
}

async function timeStart(startServer, pinning) {
  const began = performance.now();
  const server = await startServer(pinning);
  try {
    await call(`${server.ready.url}/health`);
    return performance.now() - began;
  } finally {
    await server.stop();
  }
}

// Fresh servers for each measurement, so that one's heap does not weigh on the next.
async function withServers(pinning, measure) {
  const sachet = await startSachet(pinning);
  try {
    const raw = await startRaw(pinning);
    try {
      return await measure(sachet.ready, raw.ready);
    } finally {
      await raw.stop();
    }
  } finally {
    await sachet.stop();
  }
}
