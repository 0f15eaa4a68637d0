// Load by a schedule, from a process of its own, so that what is measured is the server.
import { fileURLToPath } from 'node:url';
import { known, validOrder } from '../cases/requests.ts';
import { run } from '../support/command.ts';
import { requestText } from './request-text.ts';

const generator = fileURLToPath(new URL('load/load.mjs', import.meta.url));

export interface Plan {
  readonly url: string;
  readonly token: string;
  readonly perSecond: number;
  readonly seconds: number;
  /** Before these, calls whose times do not count. Default: none. */
  readonly warmUpSeconds?: number;
  /** After so many answers the sandbox is reset. */
  readonly reset?: { readonly every: number; readonly url: string; readonly key: string };
}

/** Times are in milliseconds, from when a call was due to its whole answer. */
export interface Load {
  readonly sent: number;
  readonly answers: number;
  /** Answers per second. */
  readonly perSecond: number;
  /** Calls that left more than 10 ms after they were due. */
  readonly late: number;
  readonly broken: number;
  readonly unanswered: number;
  /** Answers of 5xx to calls that a reset met under way. */
  readonly explained: number;
  /** How many answers had which status of a refusal, but for those. */
  readonly refused: Readonly<Record<string, number>>;
  readonly resets: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Nine reads and an order, in turn. */
const paths = [
  '/v2/products',
  `/v2/products/${known.product}`,
  '/v2/fulfillments',
  `/v2/fulfillments/${known.fulfillment}`,
  `/v2/orders/${known.pendingOrder}`,
  '/v2/products',
  `/v2/fulfillments/${known.fulfillment}`,
  '/v2/fulfillments?limit=5',
  `/v2/orders/${known.inProductionOrder}`,
];

export async function offerLoad({ url, token, perSecond, seconds, warmUpSeconds = 0, reset }: Plan): Promise<Load> {
  const reads = paths.map((path) => requestText(url, token, `GET ${path}`));
  const calls = [...reads, requestText(url, token, 'POST /v2/orders', JSON.stringify(validOrder))];
  const plan = JSON.stringify({ url, perSecond, seconds, warmUpSeconds, reset, calls });
  const running = run(process.execPath, [generator], {}, plan);
  const code = await running.ended((warmUpSeconds + seconds + 30) * 1000);
  if (code !== 0) throw new Error(`the load generator ended with ${code}: ${running.stderr}`);
  return JSON.parse(running.stdout) as Load;
}

/** What a load met that it must not meet, as faults of a row. */
export function loadFaults({ refused, broken, unanswered }: Load): Record<string, boolean> {
  const statuses = Object.entries(refused).map(([status, count]) => `${count} × ${status}`);
  return {
    [`refused: ${statuses.join(', ')}`]: statuses.length > 0,
    [`${broken} connections broke`]: broken > 0,
    [`${unanswered} calls were not answered`]: unanswered > 0,
  };
}
