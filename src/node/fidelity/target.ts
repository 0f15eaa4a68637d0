// Requests to a real service, one at a time: no faster than allowed, with a time limit, and again after a 429.
import { setTimeout as pause } from 'node:timers/promises';
import { connectionError } from '../../client/connection-errors.ts';
import { printable } from '../../client/printable.ts';
import { headersOf, type RecordedCall, urlPartsOf } from '../../fidelity/recorded-call.ts';
import type { ReplayRequest } from '../../fidelity/replay.ts';
import { machineTime, stopwatch } from '../../system/time.ts';

/** The run cannot go on. The message says why, and what to do. */
export class StopError extends Error {
  /** `limit`: it has sent as many requests as it may. `accepted`: the service accepted what it should refuse. */
  readonly kind: 'no answer' | 'limit' | 'accepted' | undefined;

  constructor(message: string, kind?: StopError['kind']) {
    super(message);
    this.kind = kind;
  }
}

export interface TargetOptions {
  /** The URL before `/v2`. */
  readonly target: string;
  /** Requests per second. */
  readonly rate: number;
  /** How many seconds an answer may take. */
  readonly timeout: number;
  readonly maxRequests?: number;
}

const maxAttempts = 3;
const maxFailures = 3;
const maxWaitSeconds = 120;

/**
 * Returns the function that sends a request. It throws StopError if the run must end.
 * @param signal ends the run. A write is finished before, so that its answer is known
 */
export function targetSender({ target, rate, timeout, maxRequests }: TargetOptions, signal: AbortSignal) {
  let [nextAt, requests, failures] = [0, 0, 0];

  async function wait(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
    requireRunning();
  }

  function requireRunning(): void {
    if (signal.aborted) throw new StopError('stopped');
  }

  function countFailures({ status }: RecordedCall): void {
    failures = status >= 500 ? failures + 1 : 0;
    if (failures === maxFailures)
      throw new StopError(`${maxFailures} requests in a row were answered ${status}; run the command again later`);
  }

  async function sendOnce(request: ReplayRequest, name: string): Promise<RecordedCall> {
    const { method, target: path, headers, body } = request;
    await wait(Math.max(0, nextAt - stopwatch()));
    if (requests === maxRequests)
      throw new StopError(`sent ${maxRequests} requests, as many as --max-requests allows`, 'limit');
    requests += 1;
    nextAt = stopwatch() + 1000 / rate;
    const at = machineTime();
    const url = isOfService(request) ? target + path : path;
    const limit = AbortSignal.timeout(1000 * timeout);
    try {
      const response = await fetch(url, {
        ...{ method, headers, redirect: 'manual' },
        // A text would get a Content-Type.
        ...(body !== null && { body: new TextEncoder().encode(body) }),
        signal: ['GET', 'HEAD'].includes(method) ? AbortSignal.any([signal, limit]) : limit,
      });
      // Only the status of a label counts.
      const responseBody = isOfService(request) ? await textOf(response, name) : void (await response.body?.cancel());
      const [requestHeaders, responseHeaders] = [headersOf(Object.entries(headers)), headersOf(response.headers)];
      const sent = { at, method, ...urlPartsOf(url), requestHeaders, requestBody: body };
      return { ...sent, status: response.status, responseHeaders, responseBody };
    } catch (error) {
      requireRunning();
      if (limit.aborted) throw new StopError(`no answer to ${name} within ${timeout} s (--timeout)`, 'no answer');
      throw stopError(error as Error, url, name);
    }
  }

  /**
   * @param name of the request in messages, without secrets
   * @param onAnswer is called with every exchange, also those that are repeated
   */
  return async (
    request: ReplayRequest,
    name = `${request.method} ${request.target.replace(/\?.*/s, '')}`,
    onAnswer?: (call: RecordedCall) => void,
  ): Promise<RecordedCall> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await sendOnce(request, name);
      onAnswer?.(answer);
      countFailures(answer);
      if (isOfService(request)) requireApi(answer, name);
      if (answer.status !== 429) return answer;
      if (attempt === maxAttempts)
        throw new StopError(
          `${name} was answered 429 Too Many Requests ${maxAttempts} times; lower --rate, or run the command again ` +
            'later',
        );
      await wait(1000 * Math.min(retryAfterSeconds(answer), maxWaitSeconds));
    }
  };
}

/** Of a failed fetch. Without a cause nothing was sent, and its message may have the header or the URL. */
function stopError(error: Error, url: string, name: string): StopError {
  if (error instanceof StopError) return error;
  if (error.cause === undefined)
    return new StopError(
      `${name} could not be sent: its URL or a header, such as the token, is not valid`,
      'no answer',
    );
  const { message } = connectionError(new URL(url).origin, error, 'check --target, and that the service runs');
  return new StopError(`${name}: ${message}`, 'no answer');
}

const maxAnswerMebibytes = 64;

/** @throws StopError for a body that is too large */
async function textOf({ body, headers }: Response, name: string): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const piece of body ?? []) {
    bytes += piece.length;
    text += decoder.decode(piece, { stream: true });
    if (bytes <= maxAnswerMebibytes * 2 ** 20) continue;
    const size = headers.get('content-length');
    throw new StopError(
      `the answer to ${name} has ${size ? `${size} bytes, ` : ''}more than ${maxAnswerMebibytes} MiB, and is not read`,
    );
  }
  return text + decoder.decode();
}

/** The other requests are for labels, whose URLs are absolute. */
const isOfService = ({ target }: ReplayRequest): boolean => target.startsWith('/');

/** @throws StopError for a redirect, and for a page in front of the service */
function requireApi({ baseUrl, status, responseHeaders }: RecordedCall, name: string): void {
  const isHtml = /html/i.test(responseHeaders.get('content-type') ?? '');
  if (status >= 400 || !(status >= 300 || isHtml)) return;
  const location = plainLocation(responseHeaders.get('location') ?? '', baseUrl) ?? 'another address';
  const answer = status >= 300 ? `redirects to ${printable(location)}, which is not followed` : 'is an HTML page';
  throw new StopError(
    `the answer to ${name} ${answer}: maybe a login page or a proxy; pass the URL that the service itself answers ` +
      'with --target',
  );
}

/** Without what may be secret: credentials, query and fragment. */
function plainLocation(location: string, base: string): string | undefined {
  if (location === '' || !URL.canParse(location, base)) return undefined;
  const { origin, pathname } = new URL(location, base);
  return new URL(base).origin === origin ? pathname : origin + pathname;
}

/** Of seconds or a date; a minute without the header. */
function retryAfterSeconds({ at, responseHeaders }: RecordedCall): number {
  const text = responseHeaders.get('retry-after') ?? '60';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - at) / 1000;
  return Number.isNaN(seconds) ? 60 : Math.max(0, seconds);
}
