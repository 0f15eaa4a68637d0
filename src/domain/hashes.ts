// The two hash functions that signing and drawing need: synchronous, handed in by the edge.

export interface Hashes {
  /** SHA-256 of a UTF-8 text: 32 bytes. */
  sha256(text: string): Uint8Array;
  /** HMAC-SHA-256 of a UTF-8 text: 32 bytes. */
  hmac(key: Uint8Array, text: string): Uint8Array;
}

/** The codes of hexadecimal digits, by their values. */
const codes = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const decoder = new TextDecoder();

/** In one piece: a text that is put together byte by byte would be a tree of its parts. */
export function hex(bytes: Uint8Array): string {
  const digits = new Uint8Array(2 * bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    digits[2 * at] = codes[byte >>> 4] as number;
    digits[2 * at + 1] = codes[byte & 15] as number;
  }
  return decoder.decode(digits);
}

const encoder = new TextEncoder();
export const utf8 = (text: string): Uint8Array => encoder.encode(text);
