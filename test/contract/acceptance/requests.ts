// Requests for the tests of acceptances: good ones for each part of each operation, and the same with something wrong.
import fc from 'fast-check';
import { assumptions, type Readings } from '../../../src/contract/assumptions.ts';
import { type OperationId, operationList } from '../../../src/contract/operations.ts';
import { chooseReadings } from '../../../src/contract/readings.ts';
import { Terms } from '../../../src/contract/terms.ts';
import { ADMINISTRATION_TIMES } from '../../support/order-bodies.ts';

type Part = 'params' | 'query' | 'body';
type Values = fc.Arbitrary<unknown>;

const guid = fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase()));
const text = fc.constantFrom('Ada', 'Žižkov', ' ', '😀', '\ud83d', 'toString', '12', 'y'.repeat(49));
const number = fc.constantFrom(30, 1, 0, -0, 1.5, -2, 2 ** 53 - 1);
const email = fc.constantFrom('ada.b+c@mail.example.co', 'ADA@EXAMPLE.COM', 'ünï@example.de', 'a@b.co');
const phone = fc.constantFrom('+12025550123', '+12', '+420123456789');

const fields = { first_name: text, last_name: text, email, phone_number: phone };
const fresh = fc.record(fields, { requiredKeys: ['last_name', 'email', 'phone_number'] });
const consumer = fc.oneof(fc.record({ id: guid }), fresh);
const address = fc.record(
  { address1: text, city: text, province_name: text, country_name: text, postal_code: text },
  { requiredKeys: ['address1', 'city', 'country_name'] },
);
const some = (item: Values) => fc.array(item, { minLength: 1, maxLength: 3 });
const time = fc.constantFrom(...ADMINISTRATION_TIMES);
const content = fc.record({ client_product_id: guid, serving_size: number }, { requiredKeys: ['client_product_id'] });
const pouch = fc.oneof(
  fc.record({ time_of_administration: time, contents: some(content) }, { requiredKeys: ['contents'] }),
  fc.record({ time_of_administration: time, pack_id: fc.oneof(text, number) }, { requiredKeys: ['pack_id'] }),
);
const line = fc.record({ duration: number, pouches: some(pouch) }, { requiredKeys: ['pouches'] });
const order = { consumer, shipping_address: address, order_lines: some(line) };
const changesOf = (key: keyof typeof order) => fc.record(order, { requiredKeys: [key] });

const limit = fc.constantFrom('1', '20', '100', '007', ' 7 ', '1e1', '7.0');
const page = { limit, cursor: fc.constantFrom('abc', 'MTIz.x_-', '😀') };
const pageOf = (filters: Record<string, Values> = {}) => fc.record({ ...page, ...filters }, { requiredKeys: [] });
const id = (name: string): Values => fc.record({ [name]: guid });

/** What each part of each operation accepts by the default readings; by others, most of it. */
const good: Readonly<Record<OperationId, Readonly<Partial<Record<Part, Values>>>>> = {
  'authentication.token': { body: fc.record({ username: text, password: text }) },
  'authentication.refresh': { body: fc.record({ refresh_token: text }) },
  'products.list': {},
  'products.get': { params: id('id') },
  'consumers.list': { query: pageOf() },
  'consumers.create': { body: fresh },
  'consumers.get': { params: id('id') },
  'orders.create': { body: fc.record(order) },
  'orders.list': { query: pageOf() },
  'orders.get': { params: id('orderId') },
  'orders.update': { params: id('orderId'), body: fc.oneof(changesOf('consumer'), changesOf('order_lines')) },
  'orders.cancel': { params: id('orderId') },
  'fulfillments.list': { query: pageOf({ order_id: guid }) },
  'fulfillments.get': { params: id('fulfillmentId') },
  'orders.fulfillments': { params: id('orderId') },
};

/** Every part of every operation that has a schema, with the values that it accepts. */
export const requestParts = operationList.flatMap((operation) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = operation[part];
    return schema ? [{ name: `${operation.id} ${part}`, schema, good: good[operation.id][part] }] : [];
  }),
);

export const termsOf = (readings: Readings): Terms => new Terms(readings, ADMINISTRATION_TIMES);

/** What the schemas of requests ask for. */
function askedBySchemas() {
  const terms = termsOf(chooseReadings());
  for (const { schema } of requestParts) schema(terms);
  return [...terms.asked];
}

/** The default readings, the strict ones, and each further reading that changes a schema, alone. */
export const severalReadings: readonly Readings[] = [
  chooseReadings(),
  chooseReadings({}, 'strict'),
  ...askedBySchemas().flatMap((id) =>
    assumptions[id].readings.slice(1).map(([name]) => chooseReadings({ [id]: name })),
  ),
];

const odd: Values = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    [],
    {},
    [null],
    [[]],
    [{}],
    true,
    false,
    Number.NaN,
    Infinity,
    -0,
    2 ** 53,
  ),
  fc.constantFrom('x'.repeat(100), 'x'.repeat(50), '😀'.repeat(50), '😀'.repeat(25), 'é'.repeat(300), '\ud800', ' '),
  fc.constantFrom('30', ' 7 ', '1e3', '.5', '0x10', '9007199254740993', '0', '-1', 'abc'),
  fc.constantFrom('3F2504E0-4F89-41D3-9A0C-0305E82C3301', '3f2504e0-4f89-41d3-9a0c-0305e82c330', 'a@b', '+0', '+1\n'),
  fc.jsonValue({ maxDepth: 2 }),
);
const oddKeys = ['x', '', '0', 'constructor', 'toString', '__proto__', 'hasOwnProperty', 'length', 'id', 'pack_id'];
const change = fc.record({
  kind: fc.constantFrom('drop', 'replace', 'add', 'reverse', 'inherit'),
  place: fc.nat(63),
  slot: fc.nat(7),
  key: fc.constantFrom(...oddKeys, 'contents', 'email', 'first_name', 'cursor'),
  value: odd,
});
type Change = typeof change extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const containersIn = (value: unknown): object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(containersIn)] : [];

const define = (target: object, key: string, value: unknown) =>
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });

function changedObject(target: object, { kind, slot, key, value }: Change): void {
  const entries = Object.entries(target);
  const [at] = entries[slot % Math.max(entries.length, 1)] ?? [key];
  if (kind === 'drop') Reflect.deleteProperty(target, at);
  else if (kind === 'replace') define(target, at, value);
  else if (kind === 'add') define(target, key, value);
  else {
    for (const [name] of entries) Reflect.deleteProperty(target, name);
    if (kind === 'inherit') Object.setPrototypeOf(target, Object.fromEntries(entries));
    else for (const [name, former] of entries.toReversed()) define(target, name, former);
  }
}

function apply(value: unknown, { value: shared, ...change }: Change): unknown {
  // A value of its own: one that is put into itself has no end.
  const drawn = { ...change, value: structuredClone(shared) };
  const places = containersIn(value);
  const place = places[drawn.place % Math.max(places.length, 1)];
  if (!place) return drawn.value;
  if (!Array.isArray(place)) changedObject(place, drawn);
  else if (drawn.kind === 'drop') place.splice(drawn.slot % (place.length + 1), 1);
  // Beyond its end: a list with holes.
  else place[drawn.slot] = drawn.value;
  return value;
}

/** The value with one to three things wrong with it, wherever they are. */
export const wronged = (values: Values): Values =>
  fc
    .tuple(values, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce(apply, structuredClone(value)));
