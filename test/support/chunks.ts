// Bodies of `Transfer-Encoding: chunked`.

type Part = string | Uint8Array;

/** One chunk; nothing says yet that the body ends. */
export function chunk(part: Part): Buffer {
  const bytes = Buffer.from(part as Uint8Array);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** A whole body in these chunks, its end included. */
export const chunked = (...parts: readonly Part[]): Buffer =>
  Buffer.concat([...parts.map((part) => chunk(part)), chunk('')]);
