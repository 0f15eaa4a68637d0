// Text as the standard fonts of a PDF can write it (WinAnsi), and cut to a width.

/** What WinAnsi holds beyond Latin-1. */
const winAnsiExtras = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** Letters of Latin alphabets that no decomposition makes plain. */
const plainLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ŧ: 't',
  Ŧ: 'T',
};

/** No box shows more characters: what is longer is not even looked at. */
const maxCharacters = 256;

const isWritable = (text: string): boolean =>
  Array.from(text).every((character) => /[\x20-\x7e\xa1-\xff]/.test(character) || winAnsiExtras.includes(character));

/** The text in characters of WinAnsi: accents that it lacks are dropped, what has no likeness becomes a question mark. */
export function writable(text: string): string {
  const shown = text
    .slice(0, maxCharacters)
    .normalize('NFC')
    .replaceAll(/\s/g, ' ')
    .replaceAll(/\p{Cf}/gu, '');
  return Array.from(shown, likeness).join('').slice(0, maxCharacters);
}

function likeness(character: string): string {
  if (isWritable(character)) return character;
  const plain = (plainLetters[character] ?? character).normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return isWritable(plain) ? plain : '?';
}

/** The text where it is narrow enough, else its beginning with an ellipsis. */
export function cut(text: string, room: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= room) return text;
  let rest = room - widthOf('…');
  let shown = '';
  for (const character of text) {
    rest -= widthOf(character);
    if (rest < 0) break;
    shown += character;
  }
  return `${shown.trimEnd()}…`;
}

/** Measures text by its characters, each looked up once. Kerning is left out: text is drawn without it, too. */
export function ruler(widthOfCharacter: (character: string) => number): (text: string) => number {
  const widths = new Map<string, number>();
  const widthOf = (character: string): number => {
    const width = widths.get(character) ?? widthOfCharacter(character);
    widths.set(character, width);
    return width;
  };
  return (text) => Array.from(text, widthOf).reduce((sum, width) => sum + width, 0);
}
