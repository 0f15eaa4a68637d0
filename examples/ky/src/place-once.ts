// Places an order exactly once. A failed request may have stored the order, so look for it before you send it again.
import { setTimeout } from 'node:timers/promises';
import { isHTTPError } from 'ky';
import { isClientError } from './retry.ts';
import type { Order } from './wire.ts';

interface Steps {
  readonly send: () => Promise<Order>;
  /** Returns the order if the service has stored it. */
  readonly find: () => Promise<Order | undefined>;
}

/** Milliseconds to wait after each failure. */
const retryDelays = [200, 400, 800];

export async function placeOnce({ send, find }: Steps): Promise<Order> {
  let failure: unknown;
  for (const delay of retryDelays) {
    try {
      return await send();
    } catch (error) {
      if (isClientError(error)) throw error;
      await setTimeout(delay);
      const stored = await find().catch(() => {
        throw error;
      });
      if (stored) return stored;
      // Without a response, the service may still be processing the order. Let the caller decide.
      if (!isHTTPError(error)) throw error;
      failure = error;
    }
  }
  throw failure;
}
