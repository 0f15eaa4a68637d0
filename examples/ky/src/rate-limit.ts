// What is made again, and when: a call that met the rate limit, after what Retry-After says.
import { isHTTPError, type RetryOptions } from 'ky';

export const retry: RetryOptions = {
  limit: 5,
  // A call that is answered with 429 had no effect, so that an order may be sent again, too.
  methods: ['get', 'post'],
  statusCodes: [429],
  afterStatusCodes: [429],
  // Where no answer came, an order may have been stored: to send it again could order twice.
  shouldRetry: ({ error }) => (isHTTPError(error) ? undefined : false),
};
