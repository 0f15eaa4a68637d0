// Answers of HTTP/1.1 as bytes of a connection: the first of them, or all of one that is closed.

/** A final answer; the names of its headers in small letters. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An answer, how many bytes it took, and whether its connection ends with it. */
export interface Found {
  readonly answer: HttpAnswer;
  readonly length: number;
  readonly isLast: boolean;
}

export interface Circumstances {
  /** Whether the answers are to HEAD, and have no bodies. */
  readonly isHead: boolean;
  /** Whether these bytes are all that comes: what has no length ends with them. */
  readonly isClosed: boolean;
}

/** The first final answer in these bytes; undefined as long as it is not whole. */
export function firstAnswer(bytes: Buffer, { isHead, isClosed }: Circumstances): Found | undefined {
  const head = headIn(bytes);
  if (!head) return undefined;
  const { status, headers } = head;
  const rest = bytes.subarray(head.length);
  if (status < 200) return behind(head.length, firstAnswer(rest, { isHead, isClosed }));
  const isEmpty = status === 204 || status === 304;
  const body = isHead || isEmpty ? { bytes: rest.subarray(0, 0), length: 0 } : bodyIn(rest, headers, isClosed);
  if (!body) return undefined;
  // A bare head to HEAD says nothing: hapi closes the connection behind its own.
  const isLast = headers.connection === 'close' || !(isEmpty || isFramed(headers));
  return { answer: { status, headers, text: body.bytes.toString() }, length: head.length + body.length, isLast };
}

/** Every final answer of a connection that was closed. @throws Error for one that is not whole, and for bytes behind the last */
export function answersIn(bytes: Buffer, isHead = false): HttpAnswer[] {
  const answers: HttpAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const found = firstAnswer(rest, { isHead, isClosed: true });
    if (!found) throw new Error(`an answer is not whole: ${shown(rest)}`);
    answers.push(found.answer);
    rest = rest.subarray(found.length);
    if (found.isLast && rest.length > 0)
      throw new Error(`behind the answer that closes the connection there comes ${shown(rest)}`);
  }
  return answers;
}

const shown = (bytes: Buffer): string => JSON.stringify(bytes.toString().slice(0, 200));

const behind = (length: number, found: Found | undefined): Found | undefined =>
  found && { ...found, length: length + found.length };

type Headers = HttpAnswer['headers'];

function headIn(bytes: Buffer): { status: number; headers: Headers; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(line)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no answer of HTTP/1.1: ${shown(bytes)}`);
  return { status, headers: Object.fromEntries(lines.map((text) => pair(text))), length: end + 4 };
}

function pair(line: string): [string, string] {
  const at = line.indexOf(':');
  return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
}

type Body = { readonly bytes: Buffer; readonly length: number } | undefined;

const isFramed = (headers: Headers): boolean => 'content-length' in headers || 'transfer-encoding' in headers;

/** The body at the start of these bytes, once it is whole. */
function bodyIn(bytes: Buffer, headers: Headers, isClosed: boolean): Body {
  if (headers['transfer-encoding'] === 'chunked') return chunksIn(bytes);
  if (headers['content-length'] === undefined) return isClosed ? { bytes, length: bytes.length } : undefined;
  const length = Number(headers['content-length']);
  return length <= bytes.length ? { bytes: bytes.subarray(0, length), length } : undefined;
}

function chunksIn(bytes: Buffer): Body {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const start = bytes.indexOf('\r\n', at) + 2;
    if (start < 2) return undefined;
    const size = Number.parseInt(bytes.subarray(at, start).toString(), 16);
    if (Number.isNaN(size)) throw new Error(`a chunk without its size: ${shown(bytes.subarray(at))}`);
    at = start + size + 2;
    if (at > bytes.length) return undefined;
    if (size === 0) return { bytes: Buffer.concat(chunks), length: at };
    chunks.push(bytes.subarray(start, start + size));
  }
}
