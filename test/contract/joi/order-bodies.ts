// Random bodies for the comparison of the order request with Joi: mostly orders that are nearly valid, sometimes any JSON.
import fc from 'fast-check';
import { ORDER_READINGS, type OrderChoices } from './joi-order.ts';

type Values = fc.Arbitrary<unknown>;

/** The values of `time_of_administration` in valid bodies: use them as the closed list. */
export const ADMINISTRATION_TIMES = ['Morning', 'Noon', 'Evening', 'Bedtime'] as const;

const from = (...values: unknown[]): Values => fc.constantFrom(...values);

/** One value in twenty is odd, so that about a quarter of the orders is valid. */
const mostly = (usual: Values, ...odd: Values[]): Values =>
  fc.oneof({ arbitrary: usual, weight: 19 }, { arbitrary: fc.oneof(...odd), weight: 1 });

const UUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const junk = fc.oneof(
  from(null, '', ' ', 'x', UUID, 'x'.repeat(300), '\ud800', true, [], {}, [null], [[]], [{}], ['x'], { x: 1 }),
  from(0, -0, -1.5, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e300, Infinity, -Infinity),
);

const guid = mostly(
  fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase())),
  from(`{${UUID}}`, UUID.replaceAll('-', ''), UUID.replaceAll('-', ':'), UUID.slice(1), `${UUID}0`, `${UUID}\n`),
  from(` ${UUID}`, UUID.replace('-9', '9'), UUID.replace('3', 'g'), '00000000-0000-0000-0000-000000000000'),
  junk,
);

/** Texts around an even limit in UTF-16 units, the first length that is too long; of letters and surrogate pairs. */
const text = (limit: number): Values =>
  mostly(
    from('Main St 1', 'Žižkov', ' ', '\u00a0\t\u2003', '\u200b', 'y'.repeat(limit - 1), '😀'.repeat(limit / 2 - 1)),
    from('y'.repeat(limit), '😀'.repeat(limit / 2), 'é'.repeat(limit + 1), ' '.repeat(limit)),
    fc.string({ unit: 'binary' }),
    junk,
  );

const local = from('a', 'a+b', "o'x", 'ü', '"a b"', 'a b', 'a..b', '.a', 'a.', '', '\ud83d', '\0', 'a@b');
const label = fc.constantFrom('a', 'b-c', 'b_c', '-b', 'b-', 'ü', '1', 'co', '中国', 'xn--p1ai', '', '%61', '😀');
const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
const email = mostly(
  from('ann@example.com', 'ann.b+c@mail.example.co', 'ünï@example.de', 'ann@exämple.de', 'ANN@EXAMPLE.COM'),
  fc.tuple(local, domain).map((parts) => parts.join('@')),
  from(...['l'.repeat(64), 'l'.repeat(65), 'ü'.repeat(32), 'ü'.repeat(33)].map((name) => `${name}@b.co`)),
  from(...[63, 64].map((length) => `a@${'d'.repeat(length)}.co`), ...[125, 126].map((n) => `a@${'b.'.repeat(n)}co`)),
  from('a@b.co.', 'a@b.co\n', 'a@b.co:80', 'a@b。co', 'a@[127.0.0.1]', 'a@xn--.co', 'e\u0301@b.co'),
  junk,
);

const phone = mostly(
  from('+12025550123', '+12', '+420123456789', `+${'9'.repeat(14)}`),
  from(`+${'9'.repeat(15)}`, '+1', '+0123', '12025550123', '+12\n', 'a"b<{{x}}', 'x'.repeat(16), '😀'.repeat(8)),
  fc.stringMatching(/^\+?[0-9 ]{0,18}$/),
  junk,
);

const numeric = fc.oneof(
  from('30', ' 7 ', '1e3', '-4.50', 'abc', '1_0', '0x10', '.5', '5.', '.', '.0', '+5', '+ 5', '-0', '00012', '1e'),
  from('1e400', '1e-400', '0e400', '9007199254740991', '9007199254740992', '0.1234567890123456789', '１', '\u00a07\n'),
  fc.stringMatching(/^ ?[+-]?[0-9]{0,20}(\.[0-9]{0,20})?([eE][+-]?[0-9]{1,3})? ?$/),
  fc.double({ noNaN: true }).map(String),
);
const number = mostly(from(30, 1, 0, 1.5, -2, 2 ** 53 - 1), numeric, fc.double({ noNaN: true }), junk);
const packId = mostly(from('pack-1', '30', ' ', 1, 0, -1.5), numeric, junk);
const time = mostly(from(...ADMINISTRATION_TIMES), from('morning', 'Noon ', 'Tea time', 'toString'), junk);

const listOf = (item: Values): Values =>
  mostly(fc.array(item, { minLength: 1, maxLength: 2 }), from([]), fc.array(item), junk);

const contents = listOf(
  fc.record({ client_product_id: guid, serving_size: number }, { requiredKeys: ['client_product_id'] }),
);
const pouch = mostly(
  fc.oneof(
    fc.record({ time_of_administration: time, contents }, { requiredKeys: ['contents'] }),
    fc.record({ time_of_administration: time, pack_id: packId }, { requiredKeys: ['pack_id'] }),
  ),
  fc.record({ time_of_administration: time, contents, pack_id: packId }, { requiredKeys: [] }),
);
const line = fc.record({ duration: number, pouches: listOf(pouch) }, { requiredKeys: ['pouches'] });

const person = { first_name: text(50), last_name: text(50), email, phone_number: phone };
const consumer = fc.oneof(
  { weight: 5, arbitrary: fc.record({ id: guid }) },
  { weight: 4, arbitrary: fc.record(person, { requiredKeys: ['last_name', 'email', 'phone_number'] }) },
  { weight: 1, arbitrary: fc.record({ id: guid, ...person }, { requiredKeys: [] }) },
  { weight: 2, arbitrary: fc.record(person, { requiredKeys: [] }) },
);
const address = fc.record(
  { address1: text(100), city: text(50), province_name: text(50), country_name: text(100), postal_code: text(50) },
  { requiredKeys: ['address1', 'city', 'country_name'] },
);
const order = fc.record({ consumer, shipping_address: address, order_lines: listOf(line) });

/** A change of one object or array in the body; `place` and `slot` count modulo their number. */
const change = fc.record({
  kind: fc.constantFrom('remove', 'replace', 'add', 'reverse'),
  place: fc.nat(63),
  slot: fc.nat(7),
  key: fc.constantFrom(...'id first_name city duration pouches contents pack_id consumer x 0 12 a.b'.split(' '), ''),
  value: fc.oneof(junk, numeric),
});
type Change = typeof change extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const containers = (value: unknown): object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(containers)] : [];

function changed(entries: [string, unknown][], { kind, slot, key, value }: Change): [string, unknown][] {
  const index = slot % Math.max(entries.length, 1);
  if (kind === 'remove') return entries.toSpliced(index, 1);
  if (kind === 'replace') return entries.toSpliced(index, 1, [entries[index]?.[0] ?? key, value]);
  // Joi reports unknown keys in the order of the body.
  return kind === 'add' ? [...entries, [key, value]] : entries.toReversed();
}

function apply(body: unknown, drawn: Change): unknown {
  const copy: unknown = structuredClone(body);
  const places = containers(copy);
  const place = places[drawn.place % places.length];
  if (!place) return copy;
  const entries = changed(Object.entries(place), drawn);
  if (Array.isArray(place)) place.splice(0, place.length, ...entries.map(([, value]) => value));
  else {
    for (const key of Object.keys(place)) Reflect.deleteProperty(place, key);
    Object.assign(place, Object.fromEntries(entries));
  }
  return copy;
}

const changes = fc.oneof(fc.constant([]), fc.array(change, { minLength: 1, maxLength: 3 }));
const changedOrder = fc.tuple(order, changes).map(([body, list]) => list.reduce(apply, structuredClone(body)));

/** A body of an order request. */
export const orderBody: Values = fc
  .oneof({ weight: 19, arbitrary: changedOrder }, { weight: 1, arbitrary: fc.jsonValue() })
  .filter((body) => !JSON.stringify(body).includes('"__proto__"'));

/** A choice for each assumption that shapes the order request. */
export const orderReadings = fc.record(
  Object.fromEntries(Object.entries(ORDER_READINGS).map(([id, choices]) => [id, fc.constantFrom(...choices)])),
) as unknown as fc.Arbitrary<OrderChoices>;
