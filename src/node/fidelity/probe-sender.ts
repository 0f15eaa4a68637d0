// The service that `sachet calibrate` asks: sends one request at a time, slowly, and records what it answers.
import { setTimeout as pause } from 'node:timers/promises';
import { filled } from '../../contract/addresses.ts';
import { callInWords, malformedToken, type ProbeCall } from '../../contract/probes.ts';
import { headersOf, type RecordedCall, urlPartsOf } from '../../fidelity/recorded-call.ts';
import { machineTime, stopwatch } from '../../system/time.ts';
import { printable } from '../printable.ts';

/** The run cannot go on. The message says why, and what to do. */
export class StopError extends Error {}

/** The run has sent as many requests as it may. */
export class MaxRequestsError extends StopError {}

export interface SenderOptions {
  /** The URL before `/v2`. */
  readonly target: string;
  /** Requests per second. */
  readonly rate: number;
  /** How many seconds an answer may take. */
  readonly timeout: number;
  readonly maxRequests: number;
}

const maxFailures = 3;
const maxLimitedAttempts = 3;
const maxWaitSeconds = 120;

/** The host of a URL cannot be reached, or does not answer. */
export class NoAnswerError extends StopError {}

export class ProbeSender {
  readonly #options: SenderOptions;
  readonly #signal: AbortSignal;
  readonly #onAnswer: (call: RecordedCall) => void;
  #lastStart = Number.NEGATIVE_INFINITY;
  #requests = 0;
  #failures = 0;

  /**
   * @param signal stops the run between two requests
   * @param onAnswer is called with every exchange, also those that `send` repeats
   */
  constructor(options: SenderOptions, signal: AbortSignal, onAnswer: (call: RecordedCall) => void) {
    this.#options = options;
    this.#signal = signal;
    this.#onAnswer = onAnswer;
  }

  /**
   * Sends a request, and again after a 429.
   * @param valueFor the values of its placeholders
   * @throws StopError
   */
  async send(call: ProbeCall, valueFor: (name: string) => string): Promise<RecordedCall> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#sendOnce(call, valueFor);
      if (answer.status !== 429) return answer;
      if (attempt === maxLimitedAttempts)
        throw new StopError(
          `${callInWords(call)} was answered 429 Too Many Requests ${maxLimitedAttempts} times; lower --rate, or run ` +
            'the command again later',
        );
      await this.#wait(1000 * Math.min(retryAfterSeconds(answer), maxWaitSeconds));
    }
  }

  async #sendOnce(call: ProbeCall, valueFor: (name: string) => string): Promise<RecordedCall> {
    const { target, rate, maxRequests } = this.#options;
    await this.#wait(Math.max(0, this.#lastStart + 1000 / rate - stopwatch()));
    if (this.#requests === maxRequests)
      throw new MaxRequestsError(`sent ${maxRequests} requests, as many as --max-requests allows`);
    this.#requests += 1;
    this.#lastStart = stopwatch();
    const url = call.path.startsWith('/') ? target + filled(call.path, encoded(valueFor)) : filled(call.path, valueFor);
    const answer = await this.#exchange(call, url, valueFor);
    this.#onAnswer(answer);
    this.#failures = answer.status >= 500 ? this.#failures + 1 : 0;
    if (this.#failures === maxFailures)
      throw new StopError(
        `${maxFailures} requests in a row were answered ${answer.status}; run the command again later`,
      );
    if (call.path.startsWith('/')) requireApi(call, answer);
    return answer;
  }

  async #exchange(call: ProbeCall, url: string, valueFor: (name: string) => string): Promise<RecordedCall> {
    const { method, body, raw } = call;
    const requestBody = raw ?? (body === undefined ? null : filled(JSON.stringify(body), inJson(valueFor)));
    const headers = {
      accept: 'application/json',
      ...(requestBody === null ? {} : { 'content-type': 'application/json' }),
      ...authorizationOf(call, valueFor),
    };
    const at = machineTime();
    try {
      const signal = AbortSignal.timeout(1000 * this.#options.timeout);
      const response = await fetch(url, { method, headers, body: requestBody, redirect: 'manual', signal });
      const requestHeaders = headersOf(Object.entries(headers));
      const responseHeaders = headersOf(response.headers);
      const responseBody = await textOf(response);
      const { status } = response;
      return { at, method, ...urlPartsOf(url), requestHeaders, requestBody, status, responseHeaders, responseBody };
    } catch (error) {
      throw this.#problem(call, new URL(url).origin, error as Error);
    }
  }

  #problem(call: ProbeCall, origin: string, error: Error): Error {
    if (error.name === 'TimeoutError')
      return new NoAnswerError(`no answer to ${callInWords(call)} within ${this.#options.timeout} s (--timeout)`);
    if (!(error instanceof TypeError)) return error;
    // fetch puts the reason into its cause.
    const { code = '', message = '' } = (error.cause ?? error) as { readonly code?: string; readonly message?: string };
    const advice = /CERT|SIGNATURE/.test(code)
      ? 'its certificate is not trusted; set the variable NODE_EXTRA_CA_CERTS to the PEM file of its CA'
      : 'check --target, and that the service runs';
    return new NoAnswerError(
      `${callInWords(call)}: no answer from ${origin} (${printable(code || message)}); ${advice}`,
    );
  }

  /** @throws StopError if the run is stopped */
  async #wait(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#signal }).catch(() => undefined);
    if (this.#signal.aborted) throw new StopError('stopped');
  }
}

/** @throws StopError for a redirect, and for a page in front of the service */
function requireApi(call: ProbeCall, { status, responseHeaders }: RecordedCall): void {
  const isHtml = /html/i.test(responseHeaders.get('content-type') ?? '');
  if (status >= 400 || !(status >= 300 || isHtml)) return;
  // The query may have secrets.
  const location = responseHeaders.get('location')?.replace(/\?.*/s, '') ?? 'another address';
  const answer = status >= 300 ? `redirects to ${printable(location)}, which is not followed` : 'is an HTML page';
  throw new StopError(
    `the answer to ${callInWords(call)} ${answer}: maybe a login page or a proxy; pass the URL that the service itself ` +
      'answers with --target',
  );
}

const encoded = (valueFor: (name: string) => string) => (name: string) => encodeURIComponent(valueFor(name));
const inJson = (valueFor: (name: string) => string) => (name: string) => JSON.stringify(valueFor(name)).slice(1, -1);

function authorizationOf({ token = 'valid' }: ProbeCall, valueFor: (name: string) => string): Record<string, string> {
  if (token === 'none') return {};
  const text = {
    malformed: () => malformedToken,
    valid: () => valueFor('access_token'),
    replaced: () => valueFor('replaced'),
  };
  return { authorization: `Bearer ${text[token]()}` };
}

/** Undefined for a body that is not text, such as a label. */
async function textOf(response: Response): Promise<string | undefined> {
  if (/json|text|xml|^$/.test(response.headers.get('content-type') ?? '')) return response.text();
  await response.body?.cancel();
  return undefined;
}

/** Of seconds or a date; a minute without the header. */
function retryAfterSeconds({ at, responseHeaders }: RecordedCall): number {
  const text = responseHeaders.get('retry-after') ?? '60';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - at) / 1000;
  return Number.isNaN(seconds) ? 60 : Math.max(0, seconds);
}
