// A file's pieces as its lines.

/** The bytes between two line ends. */
export interface Segment {
  readonly bytes: Buffer;
  /** Where it begins in the file, in bytes. */
  readonly offset: number;
  /** Whether a line end follows; of the last one of a file none may. */
  readonly isEnded: boolean;
}

const lineEnd = 0x0a;

/** Gives the lines in bundles, as they come; what is behind the last line end comes last, where there is something. */
export async function* segmentsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Segment[]> {
  let waiting: Uint8Array[] = [];
  let offset = 0;
  for await (const piece of pieces) {
    const segments: Segment[] = [];
    let begin = 0;
    for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, begin)) {
      const bytes = Buffer.concat([...waiting, piece.subarray(begin, end)]);
      segments.push({ bytes, offset, isEnded: true });
      offset += bytes.length + 1;
      begin = end + 1;
      waiting = [];
    }
    if (begin < piece.length) waiting.push(piece.subarray(begin));
    yield segments;
  }
  if (waiting.length > 0) yield [{ bytes: Buffer.concat(waiting), offset, isEnded: false }];
}
