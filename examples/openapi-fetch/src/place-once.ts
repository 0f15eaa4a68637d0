// An order that failed may be stored all the same: it is looked for before it is sent again.
import { ServiceError } from './answer.ts';
import { pauses, type Sleep } from './patient-fetch.ts';
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
      if (isRefusal(error)) throw error;
      await sleep(pause);
      const stored = await find().catch(() => {
        throw error;
      });
      if (stored) return stored;
      // One whose answer is lost may be under way yet: whoever places it decides what then.
      if (!(error instanceof ServiceError)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** The service has judged the order: it is not stored. */
const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.status < 500;
