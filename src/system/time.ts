// The machine's time and its timers. No other file reads the machine's time.

/** Milliseconds since 1970. */
export const machineTime = (): number => Date.now();

/** Milliseconds that never run backwards, for durations. */
export const stopwatch = (): number => performance.now();

/** The machine's time at which the stopwatch was 0: with it, processes can compare their stopwatches. */
export const stopwatchBegan: number = performance.timeOrigin;

/** Runs a function once, after this time. @returns a function that cancels it */
export function after(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}

/** Resolves after this time. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void after(milliseconds, resolve));

/** Runs a function at this interval. It does not keep the process alive. @returns a function that cancels it */
export function every(milliseconds: number, run: () => void): () => void {
  const timer: unknown = setInterval(run, milliseconds);
  // In a browser the timer is a number.
  if (typeof timer === 'object') (timer as { unref(): void }).unref();
  return () => clearInterval(timer as number);
}
