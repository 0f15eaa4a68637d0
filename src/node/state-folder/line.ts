// A line of a change log: `length checksum payload`. The length counts the payload's bytes in decimal digits, the checksum is its CRC-32 in eight
// hexadecimal ones, and the payload is JSON, in which no line ends.
import { crc32 } from 'node:zlib';

/** A CRC-32 as it is written. */
export const checksumOf = (crc: number): string => crc.toString(16).padStart(8, '0');

const headOf = (payload: Uint8Array): string => `${payload.length} ${checksumOf(crc32(payload))} `;

/** The line of a payload, with its end. */
export function lineOf(payload: string): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from(headOf(bytes)), bytes, newline]);
}

const newline = Buffer.from('\n');
const head = /^(\d+) ([0-9a-f]{8}) /;
/** Longer than any head is. */
const headBytes = 32;

/** What a line is. `cut`: it is the beginning of one, and the rest was never written. */
export type ReadLine = { readonly payload: string } | { readonly fault: string } | 'cut';

/**
 * Reads a line.
 * @param bytes without the line's end
 * @param isEnded whether the line's end was there; only the last one of a file may lack it
 */
export function readLine(bytes: Buffer, isEnded: boolean): ReadLine {
  const [found = '', length = ''] = head.exec(bytes.toString('latin1', 0, headBytes)) ?? [];
  if (!isEnded && isBeginning(bytes, found, Number(length))) return 'cut';
  if (!found) return { fault: 'it does not begin with a length and a checksum' };
  const payload = bytes.subarray(found.length);
  const expected = headOf(payload);
  if (found === expected) return isEnded ? { payload: payload.toString() } : { fault: 'it has no end' };
  return { fault: `it begins with "${found.trim()}", and its bytes make that "${expected.trim()}"` };
}

/** Where power was lost, bytes that were never written may stand as NUL, which no line has. */
const written = (bytes: Buffer): Buffer => {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return bytes.subarray(0, end);
};

/** Whether the bytes are fewer than a line of this head has, and begin as one. */
function isBeginning(bytes: Buffer, found: string, length: number): boolean {
  const there = written(bytes);
  if (!found) return beginningOfHead.test(there.toString('latin1', 0, headBytes)) && there.length < headBytes;
  // A line whose payload is whole lacks its end alone: with another byte in its place, but for NUL, it is damaged.
  return there.length <= found.length + length;
}

const beginningOfHead = /^(?:\d+(?: [0-9a-f]{0,8})?)?$/;
