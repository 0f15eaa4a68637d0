// S3's error document: a refusal of the storage as XML.
import type { ServiceResponse } from '../exchange.ts';
import { xmlText } from '../xml-text.ts';

/** What is refused, in S3's words. */
export interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Elements that S3 adds after the message, in its order. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export function errorDocument(
  { status, code, message, extra = {}, headers = {} }: Refused,
  id: string,
): ServiceResponse {
  const parts = { Code: code, Message: message, ...extra, RequestId: id, HostId: 'sachet' };
  const elements = Object.entries(parts).map(([name, text]) => `<${name}>${xmlText(text)}</${name}>`);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements.join('')}</Error>`;
  return { kind: 'service', status, headers: { ...headers, 'content-type': 'application/xml' }, body };
}
