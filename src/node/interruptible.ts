// Work that must clean up behind itself also where Ctrl-C ends it.
import { beforeEnd } from './client-process.ts';

/** What is told of an end by a signal. */
export interface EndTold {
  /** Sachet begins to clean up. */
  readonly begun?: () => void;
  /** Another signal came: it does not clean up. */
  readonly abandoned?: () => void;
}

/**
 * Runs it with a signal that is aborted as soon as Sachet shall end; Sachet then ends when it has cleaned up. What fails in that is told.
 */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>, told: EndTold = {}): Promise<T> {
  const stop = new AbortController();
  const { promise, resolve } = resolvable();
  const release = beforeEnd({
    run: () => {
      told.begun?.();
      stop.abort();
      return promise;
    },
    abandoned: () => told.abandoned?.(),
  });
  try {
    return await run(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    if (error !== stop.signal.reason) process.stderr.write(`sachet: ${(error as Error).message}\n`);
    // Sachet ends here: nobody is told of it any more.
    return new Promise(() => undefined);
  } finally {
    resolve();
    release();
  }
}

function resolvable(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** What comes, or the reason of the signal where that is aborted first. */
export async function unlessAborted<T>(signal: AbortSignal, coming: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([coming, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
