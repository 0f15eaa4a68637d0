// Long texts of callers, cut to what a list has room for.

/** At most so many characters of a text, with `…` for those that are left out. */
export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
