// All randomness: the seed of a server, what is drawn from a seed, and the names of requests.
import { type Hashes, hex } from '../domain/hashes.ts';

/** A seed or key nobody can guess: 32 random bytes in hexadecimal digits. */
export const randomSecret = (): string => hex(crypto.getRandomValues(new Uint8Array(32)));

type Words = readonly [number, number, number, number];
const maxKeys = 10_000;
const keys = new Map<string, Words>();

/** 128 bits that a seed and a purpose stand for. They depend on nothing else, so they are kept. */
function keyOf(hashes: Hashes, seed: string, purpose: string): Words {
  const name = `${seed}\n${purpose}`;
  const kept = keys.get(name);
  if (kept) return kept;
  const bytes = hashes.sha256(name);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const key: Words = [view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12)];
  if (keys.size >= maxKeys) keys.clear();
  keys.set(name, key);
  return key;
}

/** Stirs 32 bits so that each bit of the result hangs on each of the input; one to one. Constants: MurmurHash3's finalizer. */
function stir(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * The n-th draw of a purpose: four words of 32 bits that follow from the seed alone. One to one in n below 2³², so two draws
 * of a purpose never agree. Not for secrets: those are made by hashing.
 */
function draw(hashes: Hashes, seed: string, purpose: string, n: number): Words {
  const [a, b, c, d] = keyOf(hashes, seed, purpose);
  const first = stir((n ^ a) >>> 0);
  const second = stir((first + b) >>> 0);
  const third = stir((second ^ c) >>> 0);
  return [first, second, third, stir((third + d) >>> 0)];
}

const digits = (word: number): string => word.toString(16).padStart(8, '0');

/** The n-th UUID (version 4) of a purpose. */
export function drawUuid(hashes: Hashes, seed: string, purpose: string, n: number): string {
  const [a, b, c, d] = draw(hashes, seed, purpose, n).map(digits) as [string, string, string, string];
  const variant = '89ab'[Number.parseInt(c.charAt(0), 16) % 4];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

/** The n-th number of a purpose: at least 0, under 1. */
export function drawFraction(hashes: Hashes, seed: string, purpose: string, n: number): number {
  return draw(hashes, seed, purpose, n)[0] / 2 ** 32;
}

/** A name for a sandbox that was given none. */
export const randomName = (): string => `sandbox-${hex(crypto.getRandomValues(new Uint8Array(4)))}`;

const requestIdBytes = 16;
/** Random bytes are dear by the call, cheap by the byte. */
const pool = new Uint8Array(256 * requestIdBytes);
let taken = pool.length;

/** The name of one request, in the journal, the log and beside a bug: 32 hexadecimal digits, in which no word can stand. */
export function requestId(): string {
  if (taken === pool.length) {
    crypto.getRandomValues(pool);
    taken = 0;
  }
  taken += requestIdBytes;
  return hex(pool.subarray(taken - requestIdBytes, taken));
}
