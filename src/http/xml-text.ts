// Text as XML holds it.

/** What XML 1.0 has no way to write, and line breaks and tabs, which an attribute does not keep. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\0-\x1f\ufffe\uffff]|\p{Surrogate}/gu;
const escapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};

/** The text on one line, for an element or an attribute; what cannot be written is a question mark. */
export const xmlText = (text: string): string =>
  Array.from(text.replaceAll(unwritable, '?'), (character) => escapes[character] ?? character).join('');

/** The text of an element, with its line breaks and tabs. */
export const xmlLines = (text: string): string =>
  text
    .split(/(\r?\n|\t)/)
    .map((part, at) => (at % 2 === 0 ? xmlText(part) : part.replace('\r', '')))
    .join('');
