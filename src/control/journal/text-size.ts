// What texts take in memory.

/** Neither told in JSON as `\u0001` or the like, nor taking two bytes. */
const plain = /^[\n\r\t -\u00ff]*$/;
const wide = /[\u0100-\uffff]/;
/** Told in JSON as `\u0001` or the like; what else is escaped is no more than twice as long. */
const escaped = /[^\n\r\t -\uffff]/;

/** Two bytes a character as soon as one of them needs two; but what the text takes when it is told, where that is much more. */
export function bytesOfText(text: string | null): number {
  if (!text || plain.test(text)) return text?.length ?? 0;
  if (escaped.test(text)) return 6 * text.length;
  return wide.test(text) ? 2 * text.length : text.length;
}

/** What a header takes besides its texts. */
export const headerBytes = 64;

export const bytesOfHeader = (name: string, value: string): number => headerBytes + name.length + value.length;
