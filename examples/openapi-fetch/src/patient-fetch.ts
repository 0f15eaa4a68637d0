// A fetch that waits out the rate limit: a call that met it is made again after what Retry-After says.
import { setTimeout } from 'node:timers/promises';

export type Sleep = (seconds: number) => Promise<unknown>;
export const realSleep: Sleep = (seconds) => setTimeout(seconds * 1000);

const mostWaits = 5;

/** A call that is answered with 429 had no effect, so that an order may be sent again, too. */
export const patientFetch =
  (sleep: Sleep) =>
  async (request: Request): Promise<Response> => {
    for (let waits = 0; ; waits++) {
      // A copy goes out, so that the request can be made again.
      const response = await fetch(request.clone());
      if (response.status !== 429 || waits === mostWaits) return response;
      await sleep(Number(response.headers.get('Retry-After') ?? 60));
    }
  };
