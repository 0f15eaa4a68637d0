// Load at a fixed rate, from load.mjs.
import { fileURLToPath } from 'node:url';
import { known, validOrder } from '../cases/requests.ts';
import { run } from '../support/command.ts';
import { isShort } from './row.ts';
import type { Client } from './server.ts';

interface Plan {
  readonly perSecond: number;
  readonly seconds: number;
  /** Requests before these, whose times do not count. */
  readonly warmUpSeconds?: number;
  /** Resets the sandbox after so many responses. */
  readonly reset?: { readonly every: number; readonly path: string; readonly key: string };
}

type Numbers = 'sent' | 'rate' | 'late' | 'broken' | 'unanswered' | 'explained' | 'resets' | 'p50' | 'p99' | 'max';
/** The result of load.mjs: `late` requests were sent more than 10 ms after they were due, `explained` are 5xx during a reset. */
export type Load = Readonly<Record<Numbers, number> & { rejected: Readonly<Record<string, number>> }>;

/** Nine reads and an order, in turn. */
const requests = [
  ...['/v2/products', `/v2/products/${known.product}`, '/v2/fulfillments', `/v2/fulfillments/${known.fulfillment}`],
  ...[`/v2/orders/${known.pendingOrder}`, '/v2/products', `/v2/fulfillments/${known.fulfillment}`],
  ...['/v2/fulfillments?limit=5', `/v2/orders/${known.inProductionOrder}`],
]
  .map((path): object => ({ method: 'GET', path }))
  .concat({ method: 'POST', path: '/v2/orders', body: JSON.stringify(validOrder) });

export async function sendLoad({ url, token }: Client, plan: Plan): Promise<Load> {
  const { seconds, warmUpSeconds = 0 } = plan;
  const script = fileURLToPath(new URL('load.mjs', import.meta.url));
  const input = JSON.stringify({ ...plan, url, token, warmUpSeconds, requests });
  const running = run(process.execPath, [script], {}, input);
  const code = await running.ended((warmUpSeconds + seconds + 30) * 1000);
  if (code !== 0) throw new Error(`the load generator ended with ${code}: ${running.stderr}`);
  return JSON.parse(running.stdout) as Load;
}

/**
 * Whether the response times count. In the short form they do not if the load generator was late itself: then the machine is busy, or paused.
 */
export const isTimed = (...loads: readonly Load[]): boolean =>
  !isShort || loads.every(({ late, sent }) => late < sent / 20);

/** Faults of a row with this load. */
export function loadFaults({ rejected, broken, unanswered }: Load): Record<string, boolean> {
  const statuses = Object.entries(rejected).map(([status, count]) => `${count} × ${status}`);
  return {
    [`rejected: ${statuses.join(', ')}`]: statuses.length > 0,
    [`${broken} connections broke`]: broken > 0,
    [`${unanswered} requests got no response`]: unanswered > 0,
  };
}
