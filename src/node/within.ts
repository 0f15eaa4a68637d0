// A wait that is bounded.
import { setTimeout as pause } from 'node:timers/promises';

/** What comes within so many milliseconds; undefined where it is late. */
export async function within<T>(milliseconds: number, coming: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  const late = pause(milliseconds, undefined, { signal: done.signal }).catch(() => undefined);
  try {
    return await Promise.race([coming, late]);
  } finally {
    done.abort();
  }
}
