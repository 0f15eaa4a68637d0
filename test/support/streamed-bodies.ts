// Bodies as streams, with no length told: in given pieces, and without an end.

/** A body that comes in these pieces. */
export function pieces(...parts: readonly (string | Uint8Array)[]): ReadableStream {
  const left = parts.values();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = left.next();
      if (done) controller.close();
      else controller.enqueue(Uint8Array.from(Buffer.from(value as Uint8Array)));
    },
  });
}

/** Not more comes of what is endless: a test that fails must end too. */
const most = 64 * 1_048_576;

/** What came of a body that goes on and on. */
export interface Endless {
  readonly stream: ReadableStream;
  /** How many bytes of it were taken. */
  readonly taken: () => number;
  readonly isCancelled: () => boolean;
}

/** A body that begins so and goes on with the same bytes until nobody reads it any more. */
export function endless(bytes: Uint8Array, first = bytes): Endless {
  let taken = 0;
  let isCancelled = false;
  const stream = new ReadableStream({
    async pull(controller) {
      // A turn for others, as a connection gives it.
      await new Promise(setImmediate);
      const next = Uint8Array.from(taken === 0 ? first : bytes);
      taken += next.length;
      controller.enqueue(next);
      if (taken >= most) controller.close();
    },
    cancel() {
      isCancelled = true;
    },
  });
  return { stream, taken: () => taken, isCancelled: () => isCancelled };
}
