// A patient fetch: a call that met the rate limit is made again after what Retry-After says, one that failed after growing pauses.
import { setTimeout } from 'node:timers/promises';

export type Sleep = (seconds: number) => Promise<unknown>;
export const realSleep: Sleep = (seconds) => setTimeout(seconds * 1000);
type Fetch = (request: Request) => Promise<Response>;

const mostWaits = 5;
/** In seconds: what goes before each further try of a call that failed. */
export const pauses = [0.2, 0.4, 0.8];

/** A call that is answered with 429 had no effect, so that an order may be sent again, too. */
export const waitingFetch =
  (sleep: Sleep): Fetch =>
  async (request) => {
    for (let waits = 0; ; waits++) {
      // A copy goes out, so that the request can be made again.
      const response = await fetch(request.clone());
      if (response.status !== 429 || waits === mostWaits) return response;
      await sleep(Number(response.headers.get('Retry-After') ?? 60));
    }
  };

/** A call that was answered with 500 or not at all may have had its effect: this is for all but orders. */
export const patientFetch = (sleep: Sleep): Fetch => {
  const fetch = waitingFetch(sleep);
  return async (request) => {
    for (const pause of pauses) {
      const response = await fetch(request.clone()).catch(() => undefined);
      if (response && response.status < 500) return response;
      await sleep(pause);
    }
    return fetch(request);
  };
};
