// Waits in real time that can be called off.

/** Runs it once after so many milliseconds. Gives what calls it off. */
export function after(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}

/** Runs it each so many milliseconds, as long as there is other work to do. Gives what calls it off. */
export function every(milliseconds: number, run: () => void): () => void {
  const timer: unknown = setInterval(run, milliseconds);
  // A process that has nothing but this to do may end; in a browser there is none.
  if (typeof timer === 'object') (timer as { unref(): void }).unref();
  return () => clearInterval(timer as number);
}
