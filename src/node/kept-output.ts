// What a process has printed: the last part of it, and its lines as they are complete.
import { StringDecoder } from 'node:string_decoder';

const maxCharacters = 65_536;

/** The last 65,536 characters of several streams, interleaved as they came. */
export class KeptOutput {
  #text = '';

  get text(): string {
    return lastOf(this.#text);
  }

  /** What takes the bytes of one stream, of which a character may come in parts. */
  taker(): (bytes: Buffer) => void {
    const decoder = new StringDecoder('utf8');
    return (bytes) => {
      this.#text += decoder.write(bytes);
      if (this.#text.length > 2 * maxCharacters) this.#text = lastOf(this.#text);
    };
  }
}

/** Without half a character at its beginning. */
function lastOf(text: string): string {
  const last = text.slice(-maxCharacters);
  return last.length < text.length ? last.replace(/^[\udc00-\udfff]/, '') : last;
}

/** Tells the lines of a stream; one that does not end is told in parts, so that it fills no memory. */
export function lineTaker(tell: (line: string) => void): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  return (bytes) => {
    const lines = (begun + decoder.write(bytes)).split(/\r?\n/);
    begun = lines.pop() ?? '';
    for (const line of lines) tell(line);
    if (begun.length <= maxCharacters) return;
    tell(begun);
    begun = '';
  };
}
