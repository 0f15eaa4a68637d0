// Places an order exactly once. A failed request may have stored the order, so look for it before you send it again.
import { isAxiosError } from 'axios';
import { isClientError, retryDelays, type Sleep } from './retry.ts';
import type { Order } from './wire.ts';

interface Steps {
  readonly send: () => Promise<Order>;
  /** Returns the order if the service has stored it. */
  readonly find: () => Promise<Order | undefined>;
  readonly sleep: Sleep;
}

export async function placeOnce({ send, find, sleep }: Steps): Promise<Order> {
  let failure: unknown;
  for (const delay of retryDelays) {
    try {
      return await send();
    } catch (error) {
      if (!isAxiosError(error) || isClientError(error)) throw error;
      await sleep(delay);
      const stored = await find().catch(() => {
        throw error;
      });
      if (stored) return stored;
      // Without a response, the service may still be processing the order. Let the caller decide.
      if (error.response?.status !== 500) throw error;
      failure = error;
    }
  }
  throw failure;
}
