// UUIDs and random numbers drawn from a sandbox's seed: the same seed gives the same draws.
import { LRUCache } from 'lru-cache';
import { type Hashes, hexCodes } from '../domain/hashes.ts';

type Words = readonly [number, number, number, number];
/** By seed, then by purpose: a joined key would be hashed at each draw. */
const keysBySeed = new LRUCache<string, LRUCache<string, Words>>({ max: 1_000 });

/** 128 bits that follow from a seed and a purpose. */
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

/** The finalizer of MurmurHash3: a bijection of 32 bits in which each output bit depends on each input bit. */
function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The n-th draw of a purpose; all draws with n below 2³² differ. Not for secrets: those are hashed. */
function draw(hashes: Hashes, seed: string, purpose: string, n: number): Words {
  const [a, b, c, d] = keyOf(hashes, seed, purpose);
  const first = mix((n ^ a) >>> 0);
  const second = mix((first + b) >>> 0);
  const third = mix((second ^ c) >>> 0);
  return [first, second, third, mix((third + d) >>> 0)];
}

/** The positions of the 32 digits in a UUID. */
const positions = Array.from({ length: 32 }, (_, at) => at + [8, 12, 16, 20].filter((dash) => at >= dash).length);
/** Reused by each draw. */
const codes: number[] = Array.from('00000000-0000-0000-0000-000000000000', (character) => character.charCodeAt(0));

/** The n-th UUID (version 4) of a purpose. */
export function drawUuid(hashes: Hashes, seed: string, purpose: string, n: number): string {
  const [a, b, c, d] = draw(hashes, seed, purpose, n);
  const words = [a, (b & 0xffff0fff) | 0x4000, (c & 0x3fffffff) | 0x80000000, d];
  for (let at = 0; at < 32; at += 1) {
    const word = words[at >> 3] as number;
    codes[positions[at] as number] = hexCodes[(word >>> (28 - 4 * (at & 7))) & 15] as number;
  }
  // A concatenated string would be a tree of its parts, and slow to compare.
  return String.fromCharCode(...codes);
}

/** The n-th number of a purpose: at least 0, under 1. */
export function drawFraction(hashes: Hashes, seed: string, purpose: string, n: number): number {
  return draw(hashes, seed, purpose, n)[0] / 2 ** 32;
}
