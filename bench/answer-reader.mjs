// Reads HTTP/1.1 answers off a socket by status line and content-length alone, one answer at a time.
const nothing = Buffer.alloc(0);
const headEnd = '\r\n\r\n';
const contentLength = /\r\ncontent-length: *(\d+)/i;

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
  const length = contentLength.exec(head);
  if (length === null) throw new Error(`answer without content-length: ${head}`);
  const bodyStart = end + headEnd.length;
  const missing = bodyStart + Number(length[1]) - bytes.length;
  if (missing < 0) throw new Error(`answer longer than its content-length: ${head}`);
  return missing > 0 ? undefined : { status: Number(head.slice(9, 12)), bytes, bodyStart };
}
