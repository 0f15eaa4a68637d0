// Calls that are made again: one that met the rate limit after what Retry-After says, one that failed after growing pauses.
import { setTimeout } from 'node:timers/promises';
import { type AxiosError, type AxiosInstance, isAxiosError } from 'axios';

declare module 'axios' {
  interface AxiosRequestConfig<D, P> {
    /** How often it was made again. */
    repeats?: number;
    /** Not made again where it may have had its effect. */
    once?: boolean;
  }
}

export type Sleep = (seconds: number) => Promise<unknown>;
export const realSleep: Sleep = (seconds) => setTimeout(seconds * 1000);

const mostWaits = 5;
/** In seconds: what goes before each further try of a call that failed. */
export const pauses = [0.2, 0.4, 0.8];

export function bePatient(http: AxiosInstance, sleep: Sleep): void {
  http.interceptors.response.use(undefined, async (error: unknown) => {
    if (!isAxiosError(error) || !error.config) throw error;
    const { repeats = 0 } = error.config;
    const pause = pauseAfter(error, repeats);
    if (pause === undefined) throw error;
    await sleep(pause);
    return http.request({ ...error.config, repeats: repeats + 1 });
  });
}

/** In seconds; undefined where the call is not made again. */
function pauseAfter(error: AxiosError, repeats: number): number | undefined {
  // A call that met the rate limit had no effect, so that an order may be sent again, too.
  if (error.response?.status === 429) return repeats < mostWaits ? retryAfter(error.response.headers) : undefined;
  return isRefusal(error) || error.config?.once ? undefined : pauses[repeats];
}

const retryAfter = (headers: Readonly<Record<string, unknown>>): number => Number(headers['retry-after'] ?? 60);

/** The service has judged the call: it had no effect, and has none when it comes again. */
export const isRefusal = ({ response }: AxiosError): boolean =>
  response !== undefined && response.status >= 400 && response.status < 500;
