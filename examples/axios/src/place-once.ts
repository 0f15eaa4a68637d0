// An order that failed may be stored all the same: it is looked for before it is sent again.
import { isAxiosError } from 'axios';
import { isRefusal, pauses, type Sleep } from './patience.ts';
import type { Order } from './wire.ts';

interface Steps {
  readonly send: () => Promise<Order>;
  /** The order, where it is stored. */
  readonly find: () => Promise<Order | undefined>;
  readonly sleep: Sleep;
}

export async function placeOnce({ send, find, sleep }: Steps): Promise<Order> {
  let failure: unknown;
  for (const pause of pauses) {
    try {
      return await send();
    } catch (error) {
      if (!isAxiosError(error) || isRefusal(error)) throw error;
      await sleep(pause);
      const stored = await find().catch(() => {
        throw error;
      });
      if (stored) return stored;
      // One whose answer is lost may be under way yet: whoever places it decides what then.
      if (error.response?.status !== 500) throw error;
      failure = error;
    }
  }
  throw failure;
}
