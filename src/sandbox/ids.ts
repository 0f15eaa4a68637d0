// Ids and chances drawn from a sandbox's seed: the same seed gives the same draws.
import { LRUCache } from 'lru-cache';
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
const digits = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
/** Where the digits of a UUID stand: each of its dashes moves the rest on. */
const places = Array.from({ length: 32 }, (_, at) => at + [8, 12, 16, 20].filter((dash) => at >= dash).length);
const codes: number[] = Array.from('00000000-0000-0000-0000-000000000000', (character) => character.charCodeAt(0));

/** The n-th UUID (version 4) of a purpose. */
export function drawUuid(hashes: Hashes, seed: string, purpose: string, n: number): string {
  const [a, b, c, d] = draw(hashes, seed, purpose, n);
  const words = [a, (b & 0xffff0fff) | 0x4000, (c & 0x3fffffff) | 0x80000000, d];
  for (let at = 0; at < 32; at += 1) {
    const word = words[at >> 3] as number;
    codes[places[at] as number] = digits[(word >>> (28 - 4 * (at & 7))) & 15] as number;
  }
  // In one piece: a text that is put together is a tree of its parts, which is walked whenever it is compared.
  return String.fromCharCode(...codes);
}

/** The n-th number of a purpose: at least 0, under 1. */
export function drawFraction(hashes: Hashes, seed: string, purpose: string, n: number): number {
  return draw(hashes, seed, purpose, n)[0] / 2 ** 32;
}
