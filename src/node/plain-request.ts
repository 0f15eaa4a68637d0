// A plain request over a port, as most are: its host and target are a URL as they stand, no header comes twice, and its body, if any, is short
// and says how long it is. It is read as it came, without a Request; every other one goes through the adaptor.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../contract/limits.ts';
import type { PlainIncoming } from '../http/incoming.ts';
import { PlainHeaders } from './plain-headers.ts';

/** Paths and queries that a URL keeps as they are: nothing is escaped in them, and no segment is a dot. */
const plainTarget = /^\/[!$&(-;=@-[\]_a-z~]*(?:\?[!$&(-;=?-[\]_a-z~]*)?$/;
const dotSegment = /\/\.\.?(?:[/?]|$)/;
const digits = /^\d{1,5}$/;

/** The request; undefined for one that is not plain. */
export function plainRequest(incoming: IncomingMessage, outgoing: ServerResponse): PlainRequest | undefined {
  const { url = '', rawHeaders, httpVersionMinor, httpVersionMajor } = incoming;
  if (httpVersionMinor !== 1 || httpVersionMajor !== 1) return undefined;
  if (!plainTarget.test(url) || dotSegment.test(url)) return undefined;
  const headers = PlainHeaders.of(rawHeaders);
  const host = headers?.get('host');
  if (!headers || !host || !isPlainHost(host) || !isPlainBody(incoming.method, headers)) return undefined;
  return new PlainRequest(incoming, outgoing, `http://${host}${url}`, headers);
}

let lastHost = '';

/** Whether a URL has the host as it stands. A client asks under one host, mostly, so the last one is kept. */
function isPlainHost(host: string): boolean {
  if (host === lastHost) return true;
  const url = `http://${host}`;
  const isPlain = URL.canParse(url) && new URL(url).host === host;
  if (isPlain) lastHost = host;
  return isPlain;
}

function isPlainBody(method: string | undefined, headers: PlainHeaders): boolean {
  if (headers.has('transfer-encoding') || headers.has('content-encoding')) return false;
  const length = headers.get('content-length');
  if (method === 'GET') return length === null;
  return length !== null && digits.test(length) && Number(length) <= limits.smallBytes;
}

class PlainRequest implements PlainIncoming {
  readonly method: string;
  readonly url: string;
  readonly headers: PlainHeaders;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  /** Whether it has a body, and nobody has asked for it. */
  isUnread: boolean;
  #controller: AbortController | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, url: string, headers: PlainHeaders) {
    this.method = incoming.method ?? '';
    this.url = url;
    this.headers = headers;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.isUnread = Number(headers.get('content-length')) > 0;
  }

  /** Aborted once whoever called has gone without an answer. Made only for who asks: a call that waits. */
  get signal(): AbortSignal {
    this.#controller ??= this.#follow(new AbortController());
    return this.#controller.signal;
  }

  #follow(controller: AbortController): AbortController {
    const outgoing = this.#outgoing;
    const abort = () => outgoing.writableFinished || controller.abort();
    if (outgoing.closed || outgoing.destroyed) abort();
    else outgoing.once('close', abort);
    return controller;
  }

  wholeBody(): Promise<Uint8Array> {
    const incoming = this.#incoming;
    this.isUnread = false;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
      incoming.on('close', () => incoming.readableEnded || reject(new Error('the connection was closed in the body')));
      incoming.on('error', reject);
    });
  }
}
