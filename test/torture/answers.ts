// Answers of HTTP/1.1 as they come over a connection, one behind the other; what is not whole is an error.

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Every final answer in these bytes. @param isHead whether the answers are to HEAD, and have no bodies */
export function answersIn(bytes: Buffer, isHead = false): WholeAnswer[] {
  const answers: WholeAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`an answer has no end of its head: ${JSON.stringify(rest.toString().slice(0, 200))}`);
    const [line = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Headers(lines.map((text) => splitAtColon(text)));
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    const isBodiless = isHead || status < 200;
    const { text, length } = bodyOf(rest.subarray(end + 4), headers, isBodiless);
    if (status !== 100) answers.push({ status, headers, text });
    rest = rest.subarray(end + 4 + length);
    if (headers.get('connection') === 'close' && rest.length > 0)
      throw new Error(`behind the answer that closes the connection there comes ${JSON.stringify(rest.toString())}`);
  }
  return answers;
}

function splitAtColon(line: string): [string, string] {
  const at = line.indexOf(':');
  return [line.slice(0, at), line.slice(at + 1).trim()];
}

function bodyOf(bytes: Buffer, headers: Headers, isBodiless: boolean): { text: string; length: number } {
  if (isBodiless) return { text: '', length: 0 };
  if (headers.get('transfer-encoding') === 'chunked') return chunksOf(bytes);
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (!(length <= bytes.length)) throw new Error(`an answer is not whole: ${bytes.length} bytes of ${length}`);
  return { text: bytes.subarray(0, length).toString(), length };
}

function chunksOf(bytes: Buffer): { text: string; length: number } {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const start = bytes.indexOf('\r\n', at) + 2;
    const size = Number.parseInt(bytes.subarray(at, start).toString(), 16);
    if (!(start + size + 2 <= bytes.length)) throw new Error('an answer in chunks is not whole');
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
    if (size === 0) return { text: Buffer.concat(chunks).toString(), length: at };
  }
}
