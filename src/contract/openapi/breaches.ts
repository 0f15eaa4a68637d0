// How a good request is changed so that it breaks one rule: what the examples of refusals are made by.
import { limits } from '../limits.ts';
import type { OperationId, ServiceOperation } from '../operations.ts';
import type { RuleId } from '../rules.ts';
import { isRecord } from '../schema.ts';

/** The part of a request that is changed, and the changed value of a good one. */
export interface Breach {
  readonly part: 'body' | 'query' | 'params';
  readonly change: (good: unknown) => unknown;
}
/** The first that a schema refuses by the rule is shown: by some readings another rule comes before. */
type Breaches = { readonly [Rule in RuleId]?: Breach | readonly Breach[] };

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
  'ORD-13': at(`${under}phone_number`, `+1${'2'.repeat(limits.phoneCharacters)}`),
  new_consumer_contact: contacts,
  phone_format: at(`${under}phone_number`, '0202555'),
});

const unreachable = { first_name: 'Ada', last_name: 'Lovelace' };

const orderBreaches: Breaches = {
  'ORD-1': at('consumer'),
  'ORD-2': at('shipping_address'),
  'ORD-3': at('order_lines'),
  'ORD-4': at('order_lines', []),
  'ORD-5': at(`${line}.pouches`),
  'ORD-6': at(`${pouch}.contents`),
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
  time_of_administration: at(`${pouch}.time_of_administration`, 'No such time'),
  ...consumerBreaches('consumer.', at('consumer', unreachable)),
};

/** A body of texts that are all required, such as a login: one that is left out, one that is empty, one of another grant. */
const textsBreaches = (missing: string, empty: string, unknown: string): Breaches => ({
  'AUTH-1': at(missing),
  'AUTH-2': at(missing),
  'OPEN-3': at(missing, 5),
  'OPEN-4': at(empty, ''),
  'OPEN-6': whole([]),
  unknown_fields: at(unknown, 'password'),
});

const newConsumerBreaches: Breaches = {
  ...consumerBreaches('', whole(unreachable)),
  'OPEN-2': whole({}),
  'OPEN-3': at('first_name', 5),
  'OPEN-4': at('email', ''),
  'OPEN-6': whole([]),
  unknown_fields: at('age', 36),
};

const ofQueries: Breaches = {
  malformed_parameter: inQuery({ limit: '0' }),
  over_max_limit: inQuery({ limit: String(Number.MAX_SAFE_INTEGER) }),
  unknown_fields: inQuery({ page: '2' }),
};

const ofPaths: Breaches = {
  malformed_path_id: {
    part: 'params',
    change: (good) => Object.fromEntries(Object.keys(isRecord(good) ? good : {}).map((name) => [name, '42'])),
  },
};

const ofOperations: { readonly [Id in OperationId]?: Breaches } = {
  'authentication.token': textsBreaches('password', 'username', 'grant_type'),
  'authentication.refresh': textsBreaches('refresh_token', 'refresh_token', 'scope'),
  'consumers.create': newConsumerBreaches,
  'orders.create': orderBreaches,
  'orders.update': { ...orderBreaches, 'OPEN-2': [at('consumer', {}), whole({})] },
};

/**
 * How a request of this operation is made to break this rule.
 * @throws Error where nobody said
 */
export function breachesOf({ id, query }: ServiceOperation, rule: RuleId): readonly Breach[] {
  const found = ofOperations[id]?.[rule] ?? (query ? ofQueries[rule] : undefined) ?? ofPaths[rule];
  if (!found) throw new Error(`there is no way here to break ${rule} by a request of ${id}`);
  return [found].flat();
}
