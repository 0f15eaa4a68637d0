// One order at a time: in process through fetch, against one client of a server, over one connection.
import { performance } from 'node:perf_hooks';
import { alternate, summarize } from '../load/alternate.mjs';
import { measureRate } from '../load/rate.mjs';
import { requestBytes } from '../load/request-bytes.mjs';
import { withServers } from '../servers/children.mjs';
import { startInProcess, startSachet } from '../servers/start.mjs';
import { logIn } from '../service/client.mjs';
import { acceptedOrder, checkOrder, orderRequest } from '../service/order.mjs';

export function measureInProcess({ pinning, settings, isQuick }) {
  return withServers([() => startSachet(pinning), () => startInProcess(pinning)], async (server, inProcess) => {
    const token = await logIn(server);
    const body = await acceptedOrder(server, token);
    await checkOrder(server, token, body);
    const { access_token } = await inProcess.ask({ work: 'logIn', ...server });
    const seconds = settings.roundSeconds;
    const within = async () => (await inProcess.ask({ work: 'orders', seconds, token: access_token, body })).perSecond;
    const request = orderRequest(token, body);
    const overPort = (client) => alternate(settings.rounds, within, () => client(server.url, request, seconds));
    const figuresOf = (runs) => ({ unit: 'orders/s', ...summarize(runs) });
    return {
      inProcess: figuresOf(await overPort(byConnection)),
      inProcessFetch: isQuick ? { unavailable: 'not part of --quick' } : figuresOf(await overPort(byFetch)),
    };
  });
}

// The fastest client there is here: bytes made once, on one keep-alive connection.
async function byConnection(url, request, seconds) {
  return (await measureRate(url, [requestBytes(url, request)], { seconds }, 1)).perSecond;
}

// What tests in JavaScript call a server with.
async function byFetch(url, { path, ...init }, seconds) {
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < seconds * 1000; count += 1) {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`an order answered ${response.status}: ${text}`);
  }
  return (count * 1000) / (performance.now() - began);
}
