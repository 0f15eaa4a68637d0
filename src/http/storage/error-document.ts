// S3's error document: a refusal of the storage as XML.
import type { Rendered } from '../passage.ts';

/** What is refused, in S3's words. */
export interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Elements that S3 adds after the message, in its order. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What XML 1.0 has no way to write, and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\0-\x1f\ufffe\uffff]|\p{Surrogate}/gu;
const escapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string): string =>
  Array.from(text.replaceAll(unwritable, '?'), (character) => escapes[character] ?? character).join('');

export function errorDocument({ status, code, message, extra = {}, headers = {} }: Refused, id: string): Rendered {
  const parts = { Code: code, Message: message, ...extra, RequestId: id, HostId: 'sachet' };
  const elements = Object.entries(parts).map(([name, text]) => `<${name}>${escaped(text)}</${name}>`);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements.join('')}</Error>`;
  return { status, headers: { ...headers, 'content-type': 'application/xml' }, body };
}
