// A call that met the rate limit is made again after what Retry-After says. It had no effect, so that an order may be sent again, too.
import { setTimeout } from 'node:timers/promises';
import { type AxiosInstance, isAxiosError } from 'axios';

declare module 'axios' {
  interface AxiosRequestConfig<D, P> {
    /** How often it has waited. */
    waits?: number;
  }
}

export type Sleep = (seconds: number) => Promise<unknown>;
export const realSleep: Sleep = (seconds) => setTimeout(seconds * 1000);

const mostWaits = 5;

export function waitOutRateLimit(http: AxiosInstance, sleep: Sleep): void {
  http.interceptors.response.use(undefined, async (error: unknown) => {
    if (!isAxiosError(error) || error.response?.status !== 429 || !error.config) throw error;
    const { waits = 0 } = error.config;
    if (waits === mostWaits) throw error;
    await sleep(Number(error.response.headers['retry-after'] ?? 60));
    return http.request({ ...error.config, waits: waits + 1 });
  });
}
