// The benchmark's modules are plain JavaScript outside of the typed sources; a test names what it uses of them.

/** Loads a module of `bench/`, seen as `Shape`. */
export async function benchModule<Shape>(path: string): Promise<Shape> {
  return (await import(new URL(`../../bench/${path}`, import.meta.url).href)) as Shape;
}
