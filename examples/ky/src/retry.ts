// What ky makes again, and when: a call that met the rate limit after what Retry-After says, one that failed after growing pauses.
import { isHTTPError, type RetryOptions } from 'ky';

const metRateLimit = (error: Error): boolean => isHTTPError(error) && error.response.status === 429;

/** The service has judged the call: it had no effect, and has none when it comes again. */
export const isRefusal = (error: unknown): boolean => isHTTPError(error) && error.response.status < 500;

/** Three times after a failure, ky's pauses: 0.3 s, 0.6 s, 1.2 s. */
export const retry: RetryOptions = {
  limit: 5,
  methods: ['get', 'post'],
  retryOnTimeout: true,
  shouldRetry: ({ error, retryCount }) => (metRateLimit(error) || retryCount <= 3 ? undefined : false),
};

/** An order that failed may be stored. One that met the rate limit had no effect, so that it may be sent again. */
export const orderRetry: RetryOptions = {
  shouldRetry: ({ error }) => (metRateLimit(error) ? undefined : false),
};
