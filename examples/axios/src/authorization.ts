// Adds the session's token to each request. After a 401, gets a new token and retries the request once.
import { type AxiosInstance, isAxiosError } from 'axios';
import type { Session } from './session.ts';

declare module 'axios' {
  interface AxiosRequestConfig<D, P> {
    /** Set on a retry with a new token. */
    renewed?: boolean;
  }
}

export function authorize(api: AxiosInstance, session: Session): void {
  api.interceptors.request.use(async (config) => {
    config.headers.set('Authorization', await session.authorization());
    return config;
  });
  api.interceptors.response.use(undefined, async (error: unknown) => {
    if (!isAxiosError(error) || error.response?.status !== 401 || !error.config || error.config.renewed) throw error;
    await session.renew(error.config.headers.get('Authorization'));
    return api.request({ ...error.config, renewed: true });
  });
}
