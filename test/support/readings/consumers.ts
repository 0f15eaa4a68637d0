// The readings of the consumer in an order request.
import { expect } from 'vitest';
import { type Cases, faultOf } from '../assumption-cases.ts';
import { consumerId, someOrder } from '../order-requests.ts';
import type { Answer, TestSachet } from '../sachet.ts';

const name = { first_name: 'Ada', last_name: 'Lovelace' };
const email = { email: 'ada@example.com' };
const phone = { phone_number: '+12025550123' };

async function orderFor(sachet: TestSachet, consumer: object): Promise<Answer> {
  const client = await sachet.login();
  return client.post('/v2/orders', someOrder({ consumer }));
}

type Told = readonly [field: string, message: string];
const emailRequired: Told = ['consumer.email', '"email" is required'];
const phoneRequired: Told = ['consumer.phone_number', '"phone_number" is required'];
const eitherRequired: Told = ['consumer', '"consumer" must contain at least one of [email, phone_number]'];

/** What is said of a new consumer with neither, an e-mail, a phone number, both; one that exists needs none. */
async function expectContact(sachet: TestSachet, ...expected: readonly (readonly Told[])[]): Promise<void> {
  const contacts = [{}, email, phone, { ...email, ...phone }];
  for (const [index, contact] of contacts.entries()) {
    const { body } = await orderFor(sachet, { ...name, ...contact });
    const told = (body.details ?? []).map((detail: { field: string; message: string }) => Object.values(detail));
    expect(told).toEqual(expected[index] ?? []);
  }
  expect((await orderFor(sachet, { id: consumerId(1) })).status).toBe(201);
}

async function consumerOfOrder(sachet: TestSachet, consumer: object) {
  const { body } = await orderFor(sachet, consumer);
  return body.order.consumer;
}

const amelia = { id: consumerId(1), first_name: 'Amelia', last_name: 'Hartwell' };
const tooLong = faultOf(422, 'consumer.phone_number', '"phone_number" length must be less than or equal to 15');

async function refusalOfPhone(sachet: TestSachet, phone_number: string): Promise<unknown> {
  const { status, body } = await orderFor(sachet, { ...name, phone_number });
  return status === 201 ? undefined : body;
}

export const consumerCases: Cases<'new_consumer_contact' | 'new_consumer_match' | 'phone_format'> = {
  new_consumer_contact: {
    none: (sachet) => expectContact(sachet),
    email: (sachet) => expectContact(sachet, [emailRequired], [], [emailRequired]),
    phone_number: (sachet) => expectContact(sachet, [phoneRequired], [phoneRequired]),
    either: (sachet) => expectContact(sachet, [eitherRequired]),
    both: (sachet) => expectContact(sachet, [emailRequired, phoneRequired], [phoneRequired], [emailRequired]),
  },
  new_consumer_match: {
    always_new: async (sachet) => {
      const made = await consumerOfOrder(sachet, { ...name, email: 'amelia.hartwell@example.com' });
      expect(made).toEqual({ id: expect.any(String), ...name });
      expect(made.id).not.toBe(consumerId(1));
    },
    by_email: async (sachet) => {
      const client = await sachet.login();
      const before = await client.get(`/v2/consumers/${consumerId(1)}`);
      const known = { ...name, ...phone, email: 'amelia.hartwell@example.com' };
      expect(await consumerOfOrder(sachet, known)).toEqual(amelia);
      expect((await client.get(`/v2/consumers/${consumerId(1)}`)).body).toEqual(before.body);
      const ofAnotherClient = await consumerOfOrder(sachet, { ...name, email: 'jonas.whitfield@example.com' });
      expect(ofAnotherClient).toEqual({ id: expect.any(String), ...name });
      expect(ofAnotherClient.id).not.toBe(consumerId(5));
      expect((await consumerOfOrder(sachet, name)).id).not.toBe((await consumerOfOrder(sachet, name)).id);
    },
  },
  phone_format: {
    pattern: async (sachet) => {
      const words = '"phone_number" with value "abc" fails to match the required pattern: /^\\+[1-9]\\d{1,14}$/';
      expect(await refusalOfPhone(sachet, 'abc')).toEqual(faultOf(422, 'consumer.phone_number', words));
      expect(await refusalOfPhone(sachet, '+12025550123')).toBeUndefined();
      expect(await refusalOfPhone(sachet, `+${'1'.repeat(15)}`)).toEqual(tooLong);
    },
    length_only: async (sachet) => {
      expect(await refusalOfPhone(sachet, 'abc')).toBeUndefined();
      expect(await refusalOfPhone(sachet, 'x'.repeat(15))).toBeUndefined();
      expect(await refusalOfPhone(sachet, 'x'.repeat(16))).toEqual(tooLong);
    },
  },
};
