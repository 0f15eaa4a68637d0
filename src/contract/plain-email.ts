// The e-mail addresses that most people have, known without asking a parser of addresses.

/** ASCII letters and digits, single separators, a last label of letters: nothing of which a URL's host would make anything else. */
const plain = /^[\w+-]+(?:\.[\w+-]+)*@(?:[A-Za-z\d]+(?:-[A-Za-z\d]+)*\.)+[A-Za-z]{2,}$/;

/** The longest that breaks no bound, whatever its parts: the part before the `@` has at most 64 characters, a label 63. */
const maxUnits = 64;

/** Whether an e-mail is good beyond doubt. Of any other text this says nothing. */
export const isPlainEmail = (text: string): boolean => text.length <= maxUnits && plain.test(text);
