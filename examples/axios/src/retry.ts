// Retries: after a 429 waits for Retry-After; after a 500 or a lost response waits longer each time.
import { setTimeout } from 'node:timers/promises';
import { type AxiosError, type AxiosInstance, isAxiosError } from 'axios';

declare module 'axios' {
  interface AxiosRequestConfig<D, P> {
    /** Number of retries so far. */
    retryCount?: number;
    /** Retry after a 429 only: a request that failed otherwise may have had an effect. */
    retryRateLimitOnly?: boolean;
  }
}

export type Sleep = (seconds: number) => Promise<unknown>;
export const realSleep: Sleep = (seconds) => setTimeout(seconds * 1000);

const maxRateLimitRetries = 5;
/** Seconds before each retry of a failed request. */
export const retryDelays = [0.2, 0.4, 0.8];

export function retryFailures(http: AxiosInstance, sleep: Sleep): void {
  http.interceptors.response.use(undefined, async (error: unknown) => {
    if (!isAxiosError(error) || !error.config) throw error;
    const { retryCount = 0 } = error.config;
    const delay = retryDelay(error, retryCount);
    if (delay === undefined) throw error;
    await sleep(delay);
    return http.request({ ...error.config, retryCount: retryCount + 1 });
  });
}

/** Seconds to wait before the next retry; undefined: do not retry. */
function retryDelay(error: AxiosError, retryCount: number): number | undefined {
  // A rate-limited request had no effect, so even an order is safe to send again.
  if (error.response?.status === 429)
    return retryCount < maxRateLimitRetries ? retryAfter(error.response.headers) : undefined;
  return isClientError(error) || error.config?.retryRateLimitOnly ? undefined : retryDelays[retryCount];
}

const retryAfter = (headers: Readonly<Record<string, unknown>>): number => Number(headers['retry-after'] ?? 60);

/** A 4xx: the request had no effect, and fails again if you repeat it unchanged. */
export const isClientError = ({ response }: AxiosError): boolean =>
  response !== undefined && response.status >= 400 && response.status < 500;
