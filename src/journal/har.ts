// The journal as an HTTP Archive (HAR 1.2): completed calls only, without secrets.
import type { HarDocument } from '../contract/control/requests.ts';
import { answerStatusNames } from '../contract/operation.ts';
import { sentenceOf } from './decision.ts';
import type { Answer, Entry } from './entry.ts';
import type { Header } from './redaction.ts';

type HarEntry = HarDocument['log']['entries'][number];
type Pairs = HarEntry['request']['headers'];

/** @param baseUrl absolute, without a slash at its end @param creator the program that writes the archive */
export function harOf(
  entries: readonly Entry[],
  baseUrl: string,
  creator: { readonly name: string; readonly version: string },
): HarDocument {
  const completed = entries.flatMap((entry) => (entry.answer ? [harEntry(entry, entry.answer, baseUrl)] : []));
  return { log: { version: '1.2', creator: { ...creator }, entries: completed } };
}

function harEntry(entry: Entry, answer: Answer, baseUrl: string): HarEntry {
  const time = answer.durationMilliseconds;
  return {
    startedDateTime: new Date(entry.receivedAt).toISOString(),
    time,
    request: requestOf(entry, baseUrl),
    response: responseOf(answer),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: sentenceOf(answer.decision, answer.status, entry.operation),
  };
}

/** What requests and responses share. A size of -1 was not measured. */
const messageOf = (headers: Iterable<Header>) => ({
  httpVersion: 'HTTP/1.1' as const,
  cookies: [],
  headers: pairsOf(headers),
  headersSize: -1,
  bodySize: -1,
});

const mimeTypeOf = (headers: readonly Header[]): string =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

const pairsOf = (pairs: Iterable<Header>): Pairs => Array.from(pairs, ([name, value]) => ({ name, value }));

/** The URL with all characters escaped that RFC 3986 forbids: HAR readers reject them. */
const uriOf = ({ origin, pathname, search }: URL): string =>
  origin +
  (pathname + search)
    .replaceAll(/[^\w\-.~:/?@!$&'()*+,;=%]/g, encodeURIComponent)
    .replaceAll(/%(?![\da-f]{2})/gi, '%25');

function requestOf({ method, path, query, headers, body }: Entry, baseUrl: string): HarEntry['request'] {
  const url = new URL(baseUrl + path + query);
  return {
    method,
    url: uriOf(url),
    ...messageOf(headers),
    queryString: pairsOf(url.searchParams),
    ...(body === null ? {} : { postData: { mimeType: mimeTypeOf(headers), text: body } }),
  };
}

function responseOf({ status, headers, body, bodyBytes }: Answer): HarEntry['response'] {
  const all = Object.entries(headers);
  const names: Readonly<Record<number, string>> = answerStatusNames;
  return {
    status: status ?? 0,
    statusText: (status !== null && names[status]) || '',
    ...messageOf(all),
    content: {
      size: bodyBytes,
      mimeType: mimeTypeOf(all),
      ...(body === null ? {} : { text: body }),
    },
    redirectURL: '',
  };
}
