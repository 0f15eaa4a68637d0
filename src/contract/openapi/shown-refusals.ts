// Rules whose refusals no schema gives: what a document shows of them is made of what only the service knows.
import { limits } from '../limits.ts';
import type { FieldPath } from '../refusal.ts';
import type { Facts, RuleId } from '../rules.ts';
import type { Samples } from './samples.ts';

type About = Facts & { readonly path?: FieldPath };

/** `never`: no document shows it. */
type Shown = 'never' | ((samples: Samples, operation: string) => About);

const bare = (): About => ({});
const firstLine: FieldPath = ['order_lines', 0];
const firstPouch: FieldPath = [...firstLine, 'pouches', 0];
const product = (): About => ({ path: [...firstPouch, 'contents', 0, 'client_product_id'] });

/** Of the sandbox, not of the service; of the object storage; of operations that are not offered and so stand in no document. */
const apart = {
  'HTTP-1': 'never',
  unknown_sandbox: 'never',
  unknown_host: 'never',
  malformed_host: 'never',
  cross_site: 'never',
  no_room: 'never',
  max_records: 'never',
  max_memory: 'never',
  max_delayed: 'never',
  fault_400: 'never',
  fault_404: 'never',
  fault_422: 'never',
  'FUL-4': 'never',
  order_endpoints: 'never',
  consumer_endpoints: 'never',
} as const;

const byFacts = {
  'HTTP-3': bare,
  'LIM-1': () => ({ retryAfterSeconds: limits.retryAfterSeconds }),
  'AUTH-3': bare,
  'AUTH-4': bare,
  'AUTH-5': bare,
  'AUTH-6': bare,
  unauthorized_message: bare,
  bad_credentials: bare,
  bad_refresh_token: bare,
  expired_refresh_token: bare,
  malformed_body: bare,
  unsupported_media_type: bare,
  malformed_compression: bare,
  malformed_path: bare,
  body_too_large: () => ({ value: limits.bodyBytes }),
  'CAT-2': (_, operation) => ({ what: operation.startsWith('products') ? 'Product' : 'Consumer' }),
  'FUL-1': () => ({ what: 'Fulfillment' }),
  'FUL-2': () => ({ what: 'Order' }),
  foreign_resource: bare,
  'ORD-11': () => ({ path: ['consumer', 'id'] }),
  'ORD-17': product,
  'ORD-18': product,
  'ORD-19': ({ inactiveProduct }) => ({ path: ['order_lines'], names: [inactiveProduct] }),
  'ORD-20': ({ discontinuedProduct, operator }) => ({ path: ['order_lines'], names: [discontinuedProduct], operator }),
  'ORD-21': () => ({ path: firstLine }),
  'ORD-22': bare,
  'ORD-23': bare,
  pack_id: () => ({ path: [...firstPouch, 'pack_id'] }),
} as const satisfies { readonly [Rule in RuleId]?: Shown };

/** All others are judged by schemas, as `breaches.ts` breaks good requests. */
export const shownRefusals: { readonly [Rule in RuleId]?: Shown } = { ...apart, ...byFacts };
