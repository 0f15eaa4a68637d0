// The two hash functions that signing and drawing need: synchronous, handed in by the edge.

export interface Hashes {
  /** SHA-256 of a UTF-8 text: 32 bytes. */
  sha256(text: string): Uint8Array;
  /** HMAC-SHA-256 of a UTF-8 text: 32 bytes. */
  hmac(key: Uint8Array, text: string): Uint8Array;
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexOfByte[byte];
  return text;
}

const encoder = new TextEncoder();
export const utf8 = (text: string): Uint8Array => encoder.encode(text);
