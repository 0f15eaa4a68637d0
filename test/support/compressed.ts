// Bodies as streams of bytes: in given pieces, and without an end.

/** A body that comes in these pieces. */
export const bearing = (...pieces: readonly Uint8Array[]): ReadableStream =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

/** A body that begins so and goes on with the same bytes until nobody reads it any more; 64 MiB at most: a test that fails must end too. */
export function endless(first: Uint8Array, rest: Uint8Array): { stream: ReadableStream; ended: () => boolean } {
  let isEnded = false;
  let left = 64 * 1024;
  const block = Uint8Array.from({ length: rest.length * 200 }, (_, index) => rest[index % rest.length] ?? 0);
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      left -= 1;
      // A turn for others, as a connection gives it.
      await new Promise(setImmediate);
      if (left < 0) controller.close();
      else controller.enqueue(block.slice());
    },
    cancel: () => {
      isEnded = true;
    },
  });
  return { stream, ended: () => isEnded };
}
