// A store that does not answer.
import { type Awaitable, isPromise } from './store.ts';

/** The store did not keep or tell the state; what was asked did not happen as far as anyone knows. The service answers its 500. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
}

/** The sandbox was deleted; nothing can be read from it or written to it any more. */
export class SandboxGone extends Error {}

const failure = (cause: unknown): Error =>
  cause instanceof SandboxGone || cause instanceof StoreFailure
    ? cause
    : new StoreFailure('the store did not answer', { cause });

/** What the store answers; what it throws, now or later, is a StoreFailure. */
export function orFailure<T>(ask: () => Awaitable<T>): Awaitable<T> {
  try {
    const answer = ask();
    // A store may answer with a promise of another realm or library.
    return isPromise(answer)
      ? Promise.resolve(answer).catch((cause: unknown) => Promise.reject(failure(cause)))
      : answer;
  } catch (cause) {
    throw failure(cause);
  }
}

/** The answer of a store that is at hand. @throws StoreFailure for one that comes later: nobody waits for it */
export function atOnce<T>(answer: Awaitable<T>): T {
  if (!isPromise(answer)) return answer;
  answer.catch(() => undefined);
  throw failure(new Error('it said that it is at hand, and answered with a promise'));
}
