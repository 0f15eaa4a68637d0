// Text from elsewhere on a line of the terminal: it neither breaks the line nor moves the cursor.

/** The text with every control and formatting character written as an escape. */
export const printable = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
