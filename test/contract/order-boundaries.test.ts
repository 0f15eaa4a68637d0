// The values at the boundaries of an order's rules, and several errors at once.
import { expect, test } from 'vitest';
import type { Choices } from '../../src/contract/assumptions.ts';
import { invalid, type Refused } from '../cases/case.ts';
import { errorBodyOf, prepare } from '../cases/rejected.ts';
import { known, newConsumer, orderWith } from '../cases/requests.ts';
import { fixtures } from '../support/sachet.ts';

type Patches = Readonly<Record<string, unknown>>;

async function order(patches: Patches, assumptions: Partial<Choices> = {}) {
  const { send } = await prepare('orders.create', { assumptions, request: { body: orderWith(patches) } });
  const { status, body } = await send();
  return { status, body };
}
const expectAccepted = async (patches: Patches, assumptions?: Partial<Choices>) =>
  expect(await order(patches, assumptions)).toMatchObject({ status: 201 });
const expectRejected = async (patches: Patches, refused: Refused, assumptions?: Partial<Choices>) =>
  expect(await order(patches, assumptions)).toEqual({ status: refused.status, body: errorBodyOf(refused) });

const phoneTooLong = '"phone_number" length must be less than or equal to 15';
test.each<[string, string, string, string, Partial<Choices>?]>([
  ['ORD-15', 'shipping_address.address1', 'x'.repeat(99), 'Address line 1 must be less than 100 characters'],
  ['ORD-16', 'shipping_address.city', 'x'.repeat(49), 'City must be less than 50 characters'],
  ['ORD-13', 'consumer.phone_number', '+12345678901234', phoneTooLong],
  ['ORD-13, length_only', 'consumer.phone_number', 'ext. 12345-6789', phoneTooLong, { phone_format: 'length_only' }],
])('%s: the longest %s is accepted, one character more is rejected', async (_, field, longest, message, choices) => {
  await expectAccepted({ [field]: longest }, choices);
  await expectRejected({ [field]: `${longest}5` }, invalid(field, message), choices);
});

test('address1, city and country_name are required (ORD-14), province_name and postal_code are not', async () => {
  for (const field of ['address1', 'city', 'country_name']) {
    const path = `shipping_address.${field}`;
    await expectRejected({ [path]: undefined }, invalid(path, `"${field}" is required`));
  }
  await expectAccepted({ 'shipping_address.province_name': undefined, 'shipping_address.postal_code': undefined });
});

test('a consumer with an id has no other field (ORD-26), whatever unknown_fields is', async () => {
  for (const unknown_fields of ['reject', 'ignore'] as const)
    for (const [field, value] of Object.entries(newConsumer)) {
      const refused = invalid(`consumer.${field}`, `"${field}" is not allowed`);
      await expectRejected({ consumer: { id: known.consumer, [field]: value } }, refused, { unknown_fields });
    }
});

test('an id is accepted in upper case, and returned in lower case', async () => {
  const id = '4a000000-0000-4000-8000-00000000000b';
  const { sachet, send } = await prepare('orders.create', {
    meanwhile: ({ control }) =>
      control.sandbox('stage').records.consumers.create({ ...(fixtures.consumers[0] as never as object), id } as never),
    request: { body: orderWith({ consumer: { id: id.toUpperCase() } }) },
  });
  const { status, body } = await send();
  expect([status, body.order.consumer.id]).toEqual([201, id]);
  const read = await (await sachet.login()).get(`/v2/consumers/${id.toUpperCase()}`);
  expect(read.body.consumer.id).toBe(id);
});

test('a pouch has exactly one of pack_id and contents (ORD-6, ORD-26), with the documented message', async () => {
  const pouch = 'order_lines.0.pouches.0';
  const refused = invalid(pouch, 'Either pack_id or contents required');
  await expectRejected({ [`${pouch}.pack_id`]: known.pack }, refused);
  await expectRejected({ [`${pouch}.contents`]: undefined }, refused, { pouch_both: 'joi' });
});

test('a number beyond the range of doubles is infinite (OPEN-5)', async () => {
  const raw = JSON.stringify(orderWith({})).replace('"duration":30', '"duration":1e999');
  const { send } = await prepare('orders.create', { request: { raw } });
  const refused = invalid('order_lines.0.duration', '"duration" cannot be infinity');
  expect((await send()).body).toEqual(errorBodyOf(refused));
});

test('every error is reported, in the order of the contract, and the message is the first', async () => {
  const details = [
    { field: 'consumer.last_name', message: '"last_name" is required' },
    { field: 'consumer.email', message: '"email" must be a valid email' },
    { field: 'shipping_address.city', message: '"city" is required' },
    { field: 'order_lines.1.pouches', message: '"pouches" is required' },
    { field: 'gift', message: '"gift" is not allowed' },
  ];
  const patches = {
    gift: true,
    'order_lines.1': { duration: 30 },
    'shipping_address.city': undefined,
    consumer: { email: 'ada', first_name: 'Ada' },
  };
  await expectRejected(patches, { status: 422, message: '"last_name" is required', details });
});

test('a modification without fields is rejected (OPEN-2)', async () => {
  const { send } = await prepare('orders.update', { request: { body: {} } });
  expect((await send()).body).toEqual(errorBodyOf(invalid('', '"value" must have at least 1 key')));
});
