// What was given of options: in plain JavaScript, and in types that are not exact, undefined stands for what was left out.

/** The same without what is undefined, so that a default, or what it is spread over, holds. */
export const given = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
