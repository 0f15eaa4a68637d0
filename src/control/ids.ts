// All randomness: the seed of a server, what is drawn from a seed, and the names of requests.
import { nanoid } from 'nanoid';
import { type Hashes, hex } from '../domain/hashes.ts';

/** A seed nobody can guess: 32 random bytes. */
export const randomSeed = (): string => hex(crypto.getRandomValues(new Uint8Array(32)));

/** The n-th draw of a purpose: 32 bytes that follow from the seed alone. */
export function draw(hashes: Hashes, seed: string, purpose: string, n: number): Uint8Array {
  return hashes.sha256(`${seed}\n${purpose}\n${n}`);
}

/** The n-th UUID (version 4) of a purpose. */
export function drawUuid(hashes: Hashes, seed: string, purpose: string, n: number): string {
  const digits = hex(draw(hashes, seed, purpose, n).subarray(0, 16));
  const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) % 4];
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-');
}

/** The name of one request, in the log and beside a bug. */
export const requestId = (): string => nanoid();
