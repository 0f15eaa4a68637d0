// The machine's time, and timers that can be called off. Nothing else in src reads the machine's time.

/** The machine's time in milliseconds since 1970. */
export const machineTime = (): number => Date.now();
/** For durations: milliseconds that never run backwards. */
export const stopwatch = (): number => performance.now();
/** What the machine's time was when the stopwatch stood at 0: by it processes tell each other a moment to less than a millisecond. */
export const stopwatchBegan: number = performance.timeOrigin;

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
