// How a good request is changed so that it breaks one rule: what the examples of refusals are made by.
import { limits } from '../limits.ts';
import type { RuleId } from '../rules.ts';
import { isRecord } from '../schema.ts';

/** The part of a request that is changed, and the changed value of a good one. */
export interface Breach {
  readonly part: 'body' | 'query' | 'params';
  readonly change: (good: unknown) => unknown;
}
type Breaches = { readonly [Rule in RuleId]?: Breach };

/** The value with another at this dotted path; undefined removes. */
function put(target: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  if (Array.isArray(target)) return target.map((item, at) => (String(at) === key ? put(item, rest, value) : item));
  if (key === '') return value;
  const { [key]: former, ...others } = isRecord(target) ? target : {};
  const changed = rest.length === 0 ? value : put(former, rest, value);
  return changed === undefined ? others : { ...others, [key]: changed };
}

const at = (path: string, value?: unknown): Breach => ({
  part: 'body',
  change: (good) => put(good, path.split('.'), value),
});
const whole = (value: unknown): Breach => ({ part: 'body', change: () => value });
const inQuery = (query: Readonly<Record<string, string>>): Breach => ({ part: 'query', change: () => query });

const line = 'order_lines.0';
const pouch = `${line}.pouches.0`;
const product = `${pouch}.contents.0.client_product_id`;
const characters = (count: number): string => 'x'.repeat(count);

/** A new consumer as the body, or under a key of it. */
const consumerBreaches = (under: '' | 'consumer.', contacts: Breach): Breaches => ({
  'ORD-9': at(`${under}last_name`),
  'ORD-12': at(`${under}email`, 'ada'),
  'ORD-13': at(`${under}phone_number`, `+1202555012345${'6'.repeat(limits.phoneCharacters - 13)}`),
  new_consumer_contact: contacts,
  phone_format: at(`${under}phone_number`, 'abc'),
});

const unreachable = { first_name: 'Ada', last_name: 'Lovelace' };

const orderBreaches: Breaches = {
  'ORD-1': at('consumer'),
  'ORD-2': at('shipping_address'),
  'ORD-3': at('order_lines'),
  'ORD-4': at('order_lines', []),
  'ORD-5': at(`${line}.pouches`),
  'ORD-6': at(pouch, { time_of_administration: 'Morning' }),
  'ORD-7': at(product),
  'ORD-8': at(product, 'D3'),
  'ORD-10': at('consumer', { id: '7' }),
  'ORD-14': at('shipping_address.address1'),
  'ORD-15': at('shipping_address.address1', characters(limits.address1Characters)),
  'ORD-16': at('shipping_address.city', characters(limits.cityCharacters)),
  'ORD-26': at(`${pouch}.pack_id`, 'PACK-1'),
  'OPEN-1': at('consumer', { id: '40000000-0000-4000-8000-000000000001', first_name: 'Ada' }),
  'OPEN-2': at('consumer', {}),
  'OPEN-3': at('shipping_address.city', 5),
  'OPEN-4': at('shipping_address.country_name', ''),
  'OPEN-5': at(`${line}.duration`, 2 ** 53),
  'OPEN-6': whole([]),
  unknown_fields: at('gift', true),
  empty_arrays: at(`${line}.pouches`, []),
  time_of_administration: at(`${pouch}.time_of_administration`, 'Tea time'),
  ...consumerBreaches('consumer.', at('consumer', unreachable)),
};

/** A body of texts that are all required, such as a login. */
const textsBreaches = (field: string): Breaches => ({
  'AUTH-1': at(field),
  'AUTH-2': at(field),
  'OPEN-3': at(field, 5),
  'OPEN-4': at(field, ''),
  'OPEN-6': whole([]),
  unknown_fields: at('remember', true),
});

const newConsumerBreaches: Breaches = {
  ...consumerBreaches('', whole(unreachable)),
  'OPEN-2': whole({}),
  'OPEN-3': at('last_name', 5),
  'OPEN-4': at('last_name', ''),
  'OPEN-6': whole([]),
  unknown_fields: at('nickname', 'Ada'),
};

/** Of the parts that several operations share. */
const sharedBreaches: Breaches = {
  malformed_parameter: inQuery({ limit: '0' }),
  over_max_limit: inQuery({ limit: '101' }),
  malformed_path_id: {
    part: 'params',
    change: (good) => Object.fromEntries(Object.keys(isRecord(good) ? good : {}).map((name) => [name, '42'])),
  },
};

const ofOperations: Readonly<Record<string, Breaches>> = {
  'authentication.token': textsBreaches('password'),
  'authentication.refresh': textsBreaches('refresh_token'),
  'consumers.create': newConsumerBreaches,
  'orders.create': orderBreaches,
  'orders.update': orderBreaches,
};

/** How a request of this operation is made to break this rule; undefined where no part of the request alone does. */
export function breachOf(
  operation: { readonly id: string; readonly query?: unknown },
  rule: RuleId,
): Breach | undefined {
  if (rule === 'unknown_fields' && operation.query) return inQuery({ page: '2' });
  return ofOperations[operation.id]?.[rule] ?? sharedBreaches[rule];
}
