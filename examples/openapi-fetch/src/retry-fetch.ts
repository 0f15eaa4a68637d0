// Retries: after a 429 waits for Retry-After; after a 500 or a lost response waits longer each time.
import { setTimeout } from 'node:timers/promises';

export type Sleep = (seconds: number) => Promise<unknown>;
export const realSleep: Sleep = (seconds) => setTimeout(seconds * 1000);
type Fetch = (request: Request) => Promise<Response>;

const maxRateLimitRetries = 5;
/** Seconds before each retry of a failed request. */
export const retryDelays = [0.2, 0.4, 0.8];

/** Retries after a 429 only. Such a request had no effect, so even an order is safe to send again. */
export const createRateLimitFetch =
  (sleep: Sleep): Fetch =>
  async (request) => {
    for (let retries = 0; ; retries++) {
      // Send a copy: a request can be sent only once.
      const response = await fetch(request.clone());
      if (response.status !== 429 || retries === maxRateLimitRetries) return response;
      await sleep(Number(response.headers.get('Retry-After') ?? 60));
    }
  };

/** Also retries after a 500 or a lost response. Do not use it for orders: the first request may have had its effect. */
export const createRetryFetch = (sleep: Sleep): Fetch => {
  const fetch = createRateLimitFetch(sleep);
  return async (request) => {
    for (const delay of retryDelays) {
      const response = await fetch(request.clone()).catch(() => undefined);
      if (response && response.status < 500) return response;
      await sleep(delay);
    }
    return fetch(request);
  };
};
