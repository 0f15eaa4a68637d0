// A recorded call of the service: from a HAR file, a probe, or a comparison.
import { z } from 'zod';
import { once } from '../contract/schema.ts';
import { jsonValueOf } from '../journal/redaction.ts';

/** Names in lower case. */
export type RecordedHeaders = ReadonlyMap<string, string>;

export interface RecordedCall {
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** The URL before `/v2/`: what a client calls the base URL. Of another URL, such as that of a label, its origin. */
  readonly baseUrl: string;
  /** From `/v2/` on, still encoded. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
  readonly requestHeaders: RecordedHeaders;
  /** Null: no body. Undefined: it had one, and the recording does not. */
  readonly requestBody: string | null | undefined;
  readonly status: number;
  readonly responseHeaders: RecordedHeaders;
  /** Undefined: the recording does not have it. */
  readonly responseBody: string | undefined;
}

/** The base URL may have `/v2/` in it, too. @throws TypeError for a text that is not an absolute URL */
export function urlPartsOf(url: string): Pick<RecordedCall, 'baseUrl' | 'path' | 'query'> {
  const { origin, pathname, search } = new URL(url);
  const at = pathname.lastIndexOf('/v2/');
  return { baseUrl: origin + pathname.slice(0, Math.max(at, 0)), path: pathname.slice(Math.max(at, 0)), query: search };
}

/** Without the pseudo-headers of HTTP/2. Repeated headers are joined, as `Headers` does. */
export function headersOf(pairs: Iterable<readonly [name: string, value: string]>): RecordedHeaders {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const before = headers.get(key);
    if (!key.startsWith(':')) headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

/** The token of the header Authorization; undefined without the scheme Bearer. */
export const bearerOf = ({ requestHeaders }: RecordedCall): string | undefined =>
  /^bearer\s+(\S.*?)\s*$/i.exec(requestHeaders.get('authorization') ?? '')?.[1];

/** The JSON of the bodies; undefined for a missing body or another text. */
export const requestJsonOf = ({ requestBody }: RecordedCall): unknown => jsonValueOf(requestBody ?? null);
export const answerJsonOf = ({ responseBody }: Pick<RecordedCall, 'responseBody'>): unknown =>
  jsonValueOf(responseBody ?? null);

const pairs = z.array(z.object({ name: z.string(), value: z.string() })).catch([]);

/** The parts of a HAR entry that are read. Recorders leave out or add others. */
const harEntry = once(() =>
  z.object({
    startedDateTime: z.string(),
    request: z.object({
      method: z.string(),
      url: z.string(),
      headers: pairs,
      bodySize: z.number().optional(),
      postData: z.object({ text: z.string().optional() }).nullish().catch(undefined),
    }),
    response: z.object({
      status: z.number(),
      headers: pairs,
      bodySize: z.number().optional(),
      content: z
        .object({ size: z.number().optional(), text: z.string().optional(), encoding: z.string().optional() })
        .nullish()
        .catch(undefined),
    }),
  }),
);
type HarEntry = z.output<ReturnType<typeof harEntry>>;

/** Later times have another form in ISO 8601. */
const endOfYears = Date.UTC(10_000, 0);

/**
 * The call of a HAR entry; undefined for one that is malformed or had no answer.
 * @example for (const entry of har.log.entries) learner.add(callOfHarEntry(entry), 'real.har')
 */
export function callOfHarEntry(value: unknown): RecordedCall | undefined {
  const { data } = harEntry().safeParse(value);
  if (!data || data.response.status < 100 || !URL.canParse(data.request.url)) return undefined;
  const { startedDateTime, request, response } = data;
  const at = Date.parse(startedDateTime);
  if (!(at >= 0 && at < endOfYears)) return undefined;
  return {
    at,
    method: request.method.toUpperCase(),
    ...urlPartsOf(request.url),
    requestHeaders: headersOf(request.headers.map(({ name, value: text }) => [name, text])),
    requestBody: requestBodyOf(request),
    status: response.status,
    responseHeaders: headersOf(response.headers.map(({ name, value: text }) => [name, text])),
    responseBody: responseBodyOf(response),
  };
}

/** A redactor may have replaced a whole body. */
const redactedWhole = /^\[redacted [0-9a-f]+\]$/;

function requestBodyOf({ headers, bodySize = 0, postData }: HarEntry['request']): string | null | undefined {
  const text = postData?.text;
  if (text) return redactedWhole.test(text) ? undefined : text;
  const length = headers.find(({ name }) => name.toLowerCase() === 'content-length')?.value ?? '0';
  return length === '0' && bodySize <= 0 && (!postData || text === '') ? null : undefined;
}

function responseBodyOf({ bodySize, content }: HarEntry['response']): string | undefined {
  const { text, encoding, size = 0 } = content ?? {};
  // Recorders leave out bodies that were too large, or no longer there.
  if (!text) return bodySize === 0 || (text === '' && size <= 0) ? '' : undefined;
  if (redactedWhole.test(text)) return undefined;
  if (encoding !== 'base64') return text;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
