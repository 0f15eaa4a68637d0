// The platform's hash functions, several times faster than the pure ones.
import { createHash, createHmac } from 'node:crypto';
import type { Hashes } from '../domain/hashes.ts';

export const nodeHashes: Hashes = {
  sha256: (text) => createHash('sha256').update(text).digest(),
  hmac: (key, text) => createHmac('sha256', key).update(text).digest(),
};
