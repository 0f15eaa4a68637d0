// Bodies that come compressed (`Content-Encoding: gzip` or `deflate`), inflated while they come.
import { giveUp } from './broken.ts';
import { collected } from './collected.ts';

const formats = ['gzip', 'deflate'] as const;
type Format = (typeof formats)[number];
type Pair = ReadableWritablePair<Uint8Array, Uint8Array>;

/** How a body is to be inflated. As hapi has it, an encoding that is not known is read as if there were none. */
export const formatOf = (contentEncoding: string): Format | undefined =>
  formats.find((format) => format === contentEncoding);

/** More compressed bytes than are taken. */
class TooLong extends Error {}

/**
 * The whole body, inflated; undefined where it is longer than the bound, before that or after it.
 * @throws Error where it does not inflate; Refusal max_memory
 */
export async function inflatedBytes(
  request: Request,
  format: Format,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return giveUp(request);
  if (!request.body) return new Uint8Array();
  const { passage, isEnded } = atMost(maxBytes);
  const inflating = request.body.pipeThrough(passage).pipeThrough(new DecompressionStream(format) as Pair);
  try {
    return await collected(inflating, maxBytes);
  } catch (error) {
    if (error instanceof TooLong) return undefined;
    throw error;
  } finally {
    if (!isEnded()) giveUp(request);
  }
}

/** Node's decompression takes all that comes into its queue, however slowly it is read. */
function atMost(maxBytes: number): { readonly passage: Pair; readonly isEnded: () => boolean } {
  let left = maxBytes;
  let isEnded = false;
  const passage = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left < 0) controller.error(new TooLong());
      else controller.enqueue(chunk);
    },
    flush() {
      isEnded = true;
    },
  });
  return { passage, isEnded: () => isEnded };
}
