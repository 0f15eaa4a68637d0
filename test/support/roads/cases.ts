/** Requests by what they are. Each stands on a connection of its own. */
export type Cases = Readonly<Record<string, string>>;

export const list = (entries: Iterable<readonly [string, string]>): Cases => Object.fromEntries(entries);
