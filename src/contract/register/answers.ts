// Gaps about what is offered, and what answers look like.
import type { Assumption } from './assumption.ts';

export const answerAssumptions = {
  order_endpoints: {
    question: 'whether orders can be read, listed, modified and canceled over the API',
    choices: [
      ['assumed', 'GET /v2/orders, GET and PATCH /v2/orders/{orderId}, POST /v2/orders/{orderId}/cancel'],
      ['absent', '404'],
    ],
  },
  consumer_endpoints: {
    question: 'whether consumers can be created and listed',
    choices: [
      ['absent', '404'],
      ['assumed', 'GET and POST /v2/consumers'],
    ],
  },
  single_read_body: {
    question: 'the body of GET product and GET consumer',
    choices: [
      ['wrapped', 'under `client_product`, `consumer`'],
      ['bare', 'the fields themselves'],
    ],
  },
  product_list: {
    question: 'whether inactive products are listed',
    choices: [
      ['all', 'they are'],
      ['active_only', 'they are not'],
    ],
  },
  foreign_resource: {
    question: "a read of another client's product, consumer, order or fulfillment",
    choices: [
      ['404', 'as an unknown id'],
      ['403', '`Insufficient permissions`'],
    ],
  },
  next_cursor: {
    question: 'how the next cursor is returned',
    choices: [
      ['body', '`next_cursor`, `null` on the last page'],
      ['meta', '`meta.next_cursor`, `null` on the last page'],
      ['link_header', '`Link: <…>; rel="next"`'],
      ['header', '`X-Next-Cursor`'],
    ],
  },
  max_limit: {
    question: 'the largest accepted `limit`',
    choices: [
      ['100', '100 results'],
      ['50', '50 results'],
    ],
  },
  over_max_limit: {
    question: 'the answer to a larger one',
    choices: [
      ['clamp', 'the largest accepted one is used'],
      ['reject', '`"limit" must be less than or equal to 100`'],
    ],
  },
  list_order: {
    question: 'the order of a list',
    choices: [
      ['newest_first', 'the last made first'],
      ['oldest_first', 'the first made first'],
    ],
  },
  absent_values: {
    question: 'a value not there (dates, names, tracking)',
    choices: [
      ['null', 'the key with null'],
      ['omitted', 'no key'],
    ],
  },
  status_id: {
    question: 'fulfillment status values',
    choices: [
      ['slug', "the status's slug"],
      ['uuid', "the status's UUID"],
    ],
  },
  order_transitions: {
    question: 'transitions between order statuses beyond the documented ones',
    choices: [
      ['documented_path', 'Pending → Accepted → In Production; On Hold and Needs Changes back to Pending'],
      ['any', 'an operator action leads from any status to its own'],
    ],
  },
  fulfillment_timeline: {
    question: 'when fulfillments appear and move',
    choices: [
      ['manual', 'when an operator action moves them'],
      ['automatic', "by the sandbox's clock, with the fixtures' delays"],
    ],
  },
  pag_lookup: {
    question: 'how an order line finds its PAG',
    choices: [
      ['brand_duration', "the brand's PAG for that duration, else its default PAG"],
      ['brand', "the brand's default PAG"],
    ],
  },
  permissions: {
    question: 'roles and scopes',
    choices: [
      ['per_endpoint', "each endpoint needs its permission, held by the user's `permissions`"],
      ['all', 'every user may do everything'],
    ],
  },
  rate_limit: {
    question: 'the threshold and window of the rate limit',
    choices: [
      ['off', 'no limit'],
      ['100/60s', '100 calls of a sandbox in 60 seconds, the window beginning with its first call'],
    ],
  },
} as const satisfies Record<string, Assumption>;
