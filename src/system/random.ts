// Randomness of the platform: request ids, keys, seeds, sandbox names. No other file asks for random bytes.
import { customRandom } from 'nanoid';

/** Random bytes are fetched in bulk, because each call of the platform takes 10 µs. */
const pool = new Uint8Array(4096);
let taken = pool.length;

function randomBytes(count: number): Uint8Array {
  if (taken + count > pool.length) {
    crypto.getRandomValues(pool);
    taken = 0;
  }
  taken += count;
  return pool.subarray(taken - count, taken);
}

/**
 * The id of a request, or another number of random characters. The alphabet cannot spell a word that redaction looks
 * for, such as "token".
 */
export const requestId = customRandom('0123456789bcdfghijklmnpqrstuvxyz', 21, randomBytes);

/** A seed or key of more than 256 bits. */
export const randomSecret = (): string => requestId(52);

export const randomName = (): string => `sandbox-${requestId(8)}`;
