// ky's retry options: after a 429 it waits for Retry-After; after a 500 or a lost response it waits longer each time.
import { isHTTPError, type RetryOptions } from 'ky';

const isRateLimited = (error: Error): boolean => isHTTPError(error) && error.response.status === 429;

/** A 4xx: the request had no effect, and fails again if you repeat it unchanged. */
export const isClientError = (error: unknown): boolean => isHTTPError(error) && error.response.status < 500;

/** At most three retries after a failure, with ky's own delays: 0.3 s, 0.6 s, 1.2 s. */
export const retry: RetryOptions = {
  limit: 5,
  methods: ['get', 'post'],
  retryOnTimeout: true,
  shouldRetry: ({ error, retryCount }) => (isRateLimited(error) || retryCount <= 3 ? undefined : false),
};

/** Retry an order after a 429 only: then it had no effect. After any other failure, the order may be stored. */
export const orderRetry: RetryOptions = {
  shouldRetry: ({ error }) => (isRateLimited(error) ? undefined : false),
};
