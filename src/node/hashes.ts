// The platform's hash functions, several times faster than the pure ones.
import { createHmac, hash } from 'node:crypto';
import type { Hashes } from '../domain/hashes.ts';

export const nodeHashes: Hashes = {
  sha256: (text) => hash('sha256', text, 'buffer'),
  hmac: (key, text) => createHmac('sha256', key).update(text).digest(),
};
