// All randomness: the seed of a server, what is drawn from a seed, and the names of requests.
import { LRUCache } from 'lru-cache';
import { customRandom } from 'nanoid';
import type { Hashes } from '../domain/hashes.ts';

type Words = readonly [number, number, number, number];
/** By seed, then by purpose: a key of both would be hashed anew at each draw. */
const keysBySeed = new LRUCache<string, LRUCache<string, Words>>({ max: 1_000 });

/** 128 bits that a seed and a purpose stand for. They depend on nothing else, so they are kept. */
function keyOf(hashes: Hashes, seed: string, purpose: string): Words {
  const keys = keysBySeed.get(seed) ?? new LRUCache<string, Words>({ max: 100 });
  const found = keys.get(purpose);
  if (found) return found;
  const bytes = hashes.sha256(`${seed}\n${purpose}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const words: Words = [view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12)];
  keys.set(purpose, words);
  keysBySeed.set(seed, keys);
  return words;
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

/** The codes of hexadecimal digits, by their values. */
const codes = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const dash = 45;
/** The code of one of a word's eight digits, the highest first. */
const code = (word: number, place: number): number => codes[(word >>> (28 - 4 * place)) & 15] as number;

/** The n-th UUID (version 4) of a purpose. */
export function drawUuid(hashes: Hashes, seed: string, purpose: string, n: number): string {
  const [a, b, c, d] = draw(hashes, seed, purpose, n);
  return uuidOf(a, (b & 0xffff0fff) | 0x4000, (c & 0x3fffffff) | 0x80000000, d);
}

/** In one piece: a text that is put together is a tree of its parts, which is walked whenever it is compared. */
// biome-ignore format: a line for each of its groups
const uuidOf = (a: number, b: number, c: number, d: number): string =>
  String.fromCharCode(
    code(a, 0), code(a, 1), code(a, 2), code(a, 3), code(a, 4), code(a, 5), code(a, 6), code(a, 7), dash,
    code(b, 0), code(b, 1), code(b, 2), code(b, 3), dash,
    code(b, 4), code(b, 5), code(b, 6), code(b, 7), dash,
    code(c, 0), code(c, 1), code(c, 2), code(c, 3), dash,
    code(c, 4), code(c, 5), code(c, 6), code(c, 7), code(d, 0), code(d, 1), code(d, 2), code(d, 3),
    code(d, 4), code(d, 5), code(d, 6), code(d, 7),
  );

/** The n-th number of a purpose: at least 0, under 1. */
export function drawFraction(hashes: Hashes, seed: string, purpose: string, n: number): number {
  return draw(hashes, seed, purpose, n)[0] / 2 ** 32;
}

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

/** No word that names a secret can be written with these, so that redaction leaves every id as it is. */
const nanoid = customRandom('0123456789bcdfghijklmnpqrstuvxyz', 21, randomBytes);

/** A seed or key of more than 256 bits. */
export const randomSecret = (): string => nanoid(52);

/** A name for a sandbox that was given none. */
export const randomName = (): string => `sandbox-${nanoid(8)}`;

/** The name of one request, in the journal, the log and beside a bug. */
export const requestId = (): string => nanoid();
