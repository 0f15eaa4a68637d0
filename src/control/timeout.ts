// A single wait in real time that can be called off.

/** Runs it once after so many milliseconds. Gives what calls it off. */
export function after(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}
