// A word of a command that is pasted into a shell.

/** The text in single quotes, in which nothing has a meaning. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
