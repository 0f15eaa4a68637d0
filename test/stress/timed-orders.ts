// Orders over one connection, each timed from when it was sent to its whole answer.
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { onTestFinished } from 'vitest';
import { type Caller, markedOrder } from './marked-orders.ts';

export interface Poster {
  /** Posts an order; gives the milliseconds it took. */
  post(): Promise<number>;
}

export function poster({ url, token }: Caller): Poster {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const body = markedOrder('cost');
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return {
    post: () =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        const sent = request(`${url}/v2/orders`, { agent, method: 'POST', headers }, (answer) => {
          answer.resume().on('error', reject);
          answer.on('end', () => {
            if (answer.statusCode === 201) resolve(performance.now() - began);
            else reject(new Error(`an order was answered with ${answer.statusCode}`));
          });
        });
        sent.on('error', reject).end(body);
      }),
  };
}

/** The part of them that took at most as long as what this gives. */
export function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN;
}
