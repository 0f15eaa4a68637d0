// Calls to a real service: no faster than allowed, with a time limit, and again after a 429.
import { setTimeout as pause } from 'node:timers/promises';
import { connectionError } from '../../client/connection-errors.ts';
import type { RecordedAnswer } from '../../fidelity/difference.ts';
import { headersOf } from '../../fidelity/recorded-call.ts';
import type { ReplayRequest } from '../../fidelity/replay.ts';
import { stopwatch } from '../../system/time.ts';

/** No further call is sent to the target. */
export class TargetStopped extends Error {}

export interface TargetOptions {
  /** The base URL, without a slash at its end. */
  readonly target: string;
  /** Calls per second. */
  readonly rate: number;
  /** Seconds for one call. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
}

const maxWaitSeconds = 120;
const maxRepeats = 3;
const maxServerErrors = 3;
const otherTarget = 'check --target, and whether the service runs';

/** Returns the function that sends a request. It throws TargetStopped if further ones would fail, too. */
export function targetSender({ target, rate, timeout, signal }: TargetOptions) {
  let nextAt = stopwatch();
  let serverErrors = 0;

  async function fetchOnce({ method, target: path, headers, body }: ReplayRequest): Promise<RecordedAnswer> {
    await pause(Math.max(nextAt - stopwatch(), 0), undefined, { signal });
    nextAt = Math.max(nextAt, stopwatch()) + 1000 / rate;
    const limit = AbortSignal.timeout(timeout * 1000);
    try {
      const response = await fetch(target + path, {
        ...{ method, headers, redirect: 'manual' },
        // A text would get a Content-Type.
        ...(body !== null && { body: new TextEncoder().encode(body) }),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      const { status, headers: answered } = response;
      return { status, responseHeaders: headersOf(answered), responseBody: await response.text() };
    } catch (error) {
      if (signal?.aborted) throw error;
      if (limit.aborted)
        throw new TargetStopped(`${method} ${target}${pathOf(path)} took longer than ${timeout} s; see --timeout`);
      throw new TargetStopped(connectionError(target, error, otherTarget).message, { cause: error });
    }
  }

  return async (request: ReplayRequest): Promise<RecordedAnswer> => {
    for (let repeats = 0; ; repeats += 1) {
      const answer = await fetchOnce(request);
      const seconds = Number(answer.responseHeaders.get('retry-after') ?? Number.NaN);
      if (answer.status === 429 && seconds <= maxWaitSeconds && repeats < maxRepeats) {
        await pause(seconds * 1000, undefined, { signal });
        continue;
      }
      requireService(target, answer);
      serverErrors = answer.status >= 500 ? serverErrors + 1 : 0;
      if (serverErrors >= maxServerErrors)
        throw new TargetStopped(`${target} answered ${maxServerErrors} calls in a row with ${answer.status}`);
      return answer;
    }
  };
}

const pathOf = (target: string): string => target.replace(/\?.*/s, '');

/** @throws TargetStopped for a redirect, and a page of something in front of the service */
function requireService(target: string, { status, responseHeaders }: RecordedAnswer): void {
  if (status >= 300 && status < 400)
    throw new TargetStopped(
      `${target} redirects to ${responseHeaders.get('location') ?? 'another address'}; pass the URL that the service ` +
        'itself answers with --target',
    );
  const type = responseHeaders.get('content-type') ?? '';
  if (status < 500 && type.startsWith('text/html'))
    throw new TargetStopped(`${target} answers ${status} with a web page (${type}), not with JSON; check --target`);
}
