// Randomness of the platform: request ids, keys, seeds, sandbox names. Nothing else in src asks for random bytes.
import { customRandom } from 'nanoid';

/** Asking for random bytes costs 10 µs, however few: they are asked for by the thousand. */
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
 * The name of one request, in the journal, the log and beside a bug; or as many characters as are asked for.
 * No word that names a secret can be written with these, so that redaction leaves every id as it is.
 */
export const requestId = customRandom('0123456789bcdfghijklmnpqrstuvxyz', 21, randomBytes);

/** A seed or key of more than 256 bits. */
export const randomSecret = (): string => requestId(52);

/** A name for a sandbox that was given none. */
export const randomName = (): string => `sandbox-${requestId(8)}`;
