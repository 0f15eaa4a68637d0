// The hash functions for signatures and drawing: synchronous, and passed in, because each platform has its own.

export interface Hashes {
  /** SHA-256 of a UTF-8 text: 32 bytes. */
  sha256(text: string): Uint8Array;
  /** HMAC-SHA-256 of a UTF-8 text: 32 bytes. */
  hmac(key: Uint8Array, text: string): Uint8Array;
}

/** The character codes of hexadecimal digits, by their values. */
export const hexCodes: Uint8Array = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const decoder = new TextDecoder();

/** Decoded in one piece: a string made by concatenation would be a tree of its parts in memory. */
export function hex(bytes: Uint8Array): string {
  const digits = new Uint8Array(2 * bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    digits[2 * at] = hexCodes[byte >>> 4] as number;
    digits[2 * at + 1] = hexCodes[byte & 15] as number;
  }
  return decoder.decode(digits);
}

const encoder = new TextEncoder();
export const utf8 = (text: string): Uint8Array => encoder.encode(text);
