import { describe, expect, test } from 'vitest';
import type { Choices } from '../../src/contract/assumptions.ts';
import { invalid, type Refused } from '../cases/case.ts';
import { known, newConsumer, orderWith } from '../cases/requests.ts';
import { errorBodyOf, prepare } from '../support/refused.ts';

type Patches = Readonly<Record<string, unknown>>;

async function order(patches: Patches, assumptions: Partial<Choices> = {}) {
  const { send } = await prepare('orders.create', { assumptions, request: { body: orderWith(patches) } });
  return send();
}

async function expectTaken(patches: Patches, assumptions?: Partial<Choices>): Promise<void> {
  const { status, text } = await order(patches, assumptions);
  expect(status, text).toBe(201);
}

async function expectRefused(patches: Patches, refused: Refused, assumptions?: Partial<Choices>): Promise<void> {
  const { status, body } = await order(patches, assumptions);
  expect({ status, body }).toEqual({ status: refused.status, body: errorBodyOf(refused) });
}

describe('the longest value is taken and one character more is refused', () => {
  test.each([
    ['ORD-15', 'shipping_address.address1', 99, 'Address line 1 must be less than 100 characters'],
    ['ORD-16', 'shipping_address.city', 49, 'City must be less than 50 characters'],
  ])('%s: %s of %i characters', async (_, field, length, message) => {
    await expectTaken({ [field]: 'x'.repeat(length) });
    await expectRefused({ [field]: 'x'.repeat(length + 1) }, invalid(field, message));
  });

  test.each([
    ['pattern', '+12345678901234'],
    ['length_only', 'ext. 12345-6789'],
  ] as const)('a phone number of 15 characters (ORD-13) where phone_format is %s', async (choice, phone) => {
    const field = 'consumer.phone_number';
    await expectTaken({ [field]: phone }, { phone_format: choice });
    const message = '"phone_number" length must be less than or equal to 15';
    await expectRefused({ [field]: `${phone}5` }, invalid(field, message), { phone_format: choice });
  });
});

test.each(['address1', 'city', 'country_name'])('%s is required (ORD-14)', async (field) => {
  const path = `shipping_address.${field}`;
  await expectRefused({ [path]: undefined }, invalid(path, `"${field}" is required`));
});

test.each(['province_name', 'postal_code'])('%s is not required', async (field) => {
  await expectTaken({ [`shipping_address.${field}`]: undefined });
});

describe.each(['reject', 'ignore'] as const)('where unknown_fields is %s', (choice) => {
  test.each(Object.entries(newConsumer))('%s does not go with an id (ORD-26)', async (field, value) => {
    const consumer = { id: known.consumer, [field]: value };
    const refused = invalid(`consumer.${field}`, `"${field}" is not allowed`);
    await expectRefused({ consumer }, refused, { unknown_fields: choice });
  });
});

test('an id is taken in either case and answered in lower case', async () => {
  const id = '4a000000-0000-4000-8000-00000000000b';
  const { sachet, send } = await prepare('orders.create', {
    meanwhile: async (before) =>
      (await before.sandbox()).write((draft) => {
        const [consumer] = draft.table('consumers').walk('brand', '11000000-0000-4000-8000-000000000001');
        if (consumer) draft.table('consumers').insert({ ...consumer[1], id });
      }),
    request: { body: orderWith({ consumer: { id: id.toUpperCase() } }) },
  });
  const { status, body } = await send();
  expect([status, body.order.consumer.id]).toEqual([201, id]);
  const client = await sachet.login();
  expect((await client.get(`/v2/consumers/${id.toUpperCase()}`)).body.consumer.id).toBe(id);
});

test('a pouch with both pack_id and contents is refused in the documented words (ORD-26)', async () => {
  const pouch = 'order_lines.0.pouches.0';
  await expectRefused({ [`${pouch}.pack_id`]: known.pack }, invalid(pouch, 'Either pack_id or contents required'));
});

test('a pouch with neither is refused in the documented words (ORD-6), whatever the words for both', async () => {
  const pouch = 'order_lines.0.pouches.0';
  const refused = invalid(pouch, 'Either pack_id or contents required');
  await expectRefused({ [`${pouch}.contents`]: undefined }, refused, { pouch_both: 'joi' });
});

test('a number beyond the range of doubles is infinite (OPEN-5)', async () => {
  const raw = JSON.stringify(orderWith({})).replace('"duration":30', '"duration":1e999');
  const { send } = await prepare('orders.create', { request: { raw } });
  const refused = invalid('order_lines.0.duration', '"duration" cannot be infinity');
  expect((await send()).body).toEqual(errorBodyOf(refused));
});

test('every fault is told, in the order of the contract, and the message is the first', async () => {
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
  await expectRefused(patches, { status: 422, message: '"last_name" is required', details });
});

test('a modification that brings nothing is refused (OPEN-2)', async () => {
  const { send } = await prepare('orders.update', { request: { body: {} } });
  expect((await send()).body).toEqual(errorBodyOf(invalid('', '"value" must have at least 1 key')));
});
