// Reads HTTP/1.1 answers off a socket, one at a time, by content-length, or by chunks where a peer sends these.
const nothing = Buffer.alloc(0);
const headEnd = '\r\n\r\n';
const contentLength = /\r\ncontent-length: *(\d+)/i;
const isChunked = /\r\ntransfer-encoding: *chunked/i;
const bodiless = new Set(['204', '304']);

/** Gives a reader of a socket's chunks that calls back with each whole answer: `{ status, bytes, bodyStart }`. */
export function createAnswerReader(onAnswer) {
  let held = nothing;
  return (chunk) => {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const answer = parseAnswer(bytes);
    // The chunk lies in the socket's reused buffer, so what must wait is copied.
    held = answer === undefined ? Buffer.from(bytes) : nothing;
    if (answer !== undefined) onAnswer(answer);
  };
}

function parseAnswer(bytes) {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return undefined;
  const head = bytes.latin1Slice(0, end);
  const bodyStart = end + headEnd.length;
  const bodyEnd = endOfBody(head, bytes, bodyStart);
  if (bodyEnd < bytes.length) throw new Error(`answer longer than it says: ${head}`);
  return bodyEnd > bytes.length ? undefined : { status: Number(head.slice(9, 12)), bytes, bodyStart };
}

/** Where the body ends, in bytes; behind all that has come where more is missing. */
function endOfBody(head, bytes, bodyStart) {
  const length = contentLength.exec(head);
  if (length !== null) return bodyStart + Number(length[1]);
  if (bodiless.has(head.slice(9, 12))) return bodyStart;
  if (isChunked.test(head)) return endOfChunks(bytes, bodyStart);
  throw new Error(`answer without a length: ${head}`);
}

function endOfChunks(bytes, bodyStart) {
  for (let at = bodyStart; at < bytes.length; ) {
    const sizeEnd = bytes.indexOf('\r\n', at);
    if (sizeEnd === -1) break;
    const size = Number.parseInt(bytes.latin1Slice(at, sizeEnd), 16);
    at = sizeEnd + size + 4;
    if (size === 0) return at;
  }
  return Number.POSITIVE_INFINITY;
}
