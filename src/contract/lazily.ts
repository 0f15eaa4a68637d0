// What is made when it is first asked for: a start waits for no schema that it does not need.

/** Gives what the maker makes, which is made once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type Makers = Readonly<Record<string, () => unknown>>;
type Made<M extends Makers> = { readonly [Name in keyof M]: ReturnType<M[Name]> };

/** An object of what the makers make, each made once, when it is first read. */
export function lazily<M extends Makers>(makers: M): Made<M> {
  const properties = Object.entries(makers).map(([name, make]) => [name, { get: once(make), enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(properties)) as Made<M>;
}
