// An order that failed may be stored all the same: it is looked for before it is sent again.
import { setTimeout } from 'node:timers/promises';
import { isHTTPError } from 'ky';
import { isRefusal } from './retry.ts';
import type { Order } from './wire.ts';

interface Steps {
  readonly send: () => Promise<Order>;
  /** The order, where it is stored. */
  readonly find: () => Promise<Order | undefined>;
}

/** In milliseconds: what goes before each look. */
const pauses = [200, 400, 800];

export async function placeOnce({ send, find }: Steps): Promise<Order> {
  let failure: unknown;
  for (const pause of pauses) {
    try {
      return await send();
    } catch (error) {
      if (isRefusal(error)) throw error;
      await setTimeout(pause);
      const stored = await find().catch(() => {
        throw error;
      });
      if (stored) return stored;
      // One whose answer is lost may be under way yet: whoever places it decides what then.
      if (!isHTTPError(error)) throw error;
      failure = error;
    }
  }
  throw failure;
}
