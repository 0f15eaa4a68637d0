// Answers as a client tells them apart.

const heads = /(HTTP\/1\.1 \d{3}[\s\S]*?)\r\n\r\n/g;

/** With `Content-Length` at the end of each head: it stands before `Connection` on the direct road, behind it on the adaptor's. */
export const ordered = (text: string): string =>
  text.replace(heads, (_, head: string) => {
    const [length = ''] = /\r\nContent-Length: \d+/i.exec(head) ?? [];
    return `${head.replace(length, '')}${length}\r\n\r\n`;
  });

/** Likewise of every answer in a value, whatever the order and the case of headers: one that breaks in its middle has others on each road. */
export const unordered = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, part: unknown) => (typeof part === 'string' ? part.replace(heads, unorderedHead) : part),
    1,
  );

function unorderedHead(_: string, head: string): string {
  const [line, ...lines] = head.split('\r\n');
  const small = lines.map((pair) => pair.replace(/^[^:]*/, (name) => name.toLowerCase()));
  return `${[line, ...small.sort()].join('\r\n')}\r\n\r\n`;
}
