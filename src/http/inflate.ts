// Bodies that come compressed (`Content-Encoding: gzip` or `deflate`), inflated once they have come.
import { boundedBytes } from './bounded-bytes.ts';
import { collected } from './collected.ts';
import { bodies } from './held.ts';
import type { WebIncoming } from './incoming.ts';

const formats = ['gzip', 'deflate'] as const;
type Format = (typeof formats)[number];
type Pair = ReadableWritablePair<Uint8Array, Uint8Array>;

/** How a body is to be inflated. As hapi has it, an encoding that is not known is read as if there were none. */
export const formatOf = (contentEncoding: string): Format | undefined =>
  formats.find((format) => format === contentEncoding);

/**
 * The whole body, inflated; undefined where it is longer than the bound, before that or after it.
 * @throws Error where it does not inflate; Refusal max_memory
 */
export async function inflatedBytes(
  request: WebIncoming,
  format: Format,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const compressed = await boundedBytes(request, maxBytes);
  if (!compressed || !request.body) return compressed;
  // They stay until the end, and the blob has them once more.
  const release = bodies.hold(2 * compressed.length);
  const inflating = new Blob([compressed as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream(format) as Pair);
  return collected(inflating, maxBytes).finally(release);
}
