// The values at the boundaries of an order's rules, and several errors at once.
import { expect, test } from 'vitest';
import type { Choices } from '../../src/contract/assumptions.ts';
import { invalid, type Refused } from '../cases/case.ts';
import { errorBodyOf, prepare } from '../cases/rejected.ts';
import { known, newConsumer, orderWith } from '../cases/requests.ts';

type Patches = Readonly<Record<string, unknown>>;

async function order(patches: Patches, assumptions: Partial<Choices> = {}) {
  const { send } = await prepare('orders.create', { assumptions, request: { body: orderWith(patches) } });
  const { status, body } = await send();
  return { status, body };
}
const _expectAccepted = async (patches: Patches, assumptions?: Partial<Choices>) =>
  expect(await order(patches, assumptions)).toMatchObject({ status: 201 });
const expectRejected = async (patches: Patches, refused: Refused, assumptions?: Partial<Choices>) =>
  expect(await order(patches, assumptions)).toEqual({ status: refused.status, body: errorBodyOf(refused) });

test('a consumer with an id has no other field (ORD-26), whatever unknown_fields is', async () => {
  for (const unknown_fields of ['reject', 'ignore'] as const)
    for (const [field, value] of Object.entries(newConsumer)) {
      const refused = invalid(`consumer.${field}`, `"${field}" is not allowed`);
      await expectRejected({ consumer: { id: known.consumer, [field]: value } }, refused, { unknown_fields });
    }
});

test('a number beyond the range of doubles is infinite (OPEN-5)', async () => {
  const raw = JSON.stringify(orderWith({})).replace('"duration":30', '"duration":1e999');
  const { send } = await prepare('orders.create', { request: { raw } });
  const refused = invalid('order_lines.0.duration', '"duration" cannot be infinity');
  expect((await send()).body).toEqual(errorBodyOf(refused));
});

test('a modification without fields is rejected (OPEN-2)', async () => {
  const { send } = await prepare('orders.update', { request: { body: {} } });
  expect((await send()).body).toEqual(errorBodyOf(invalid('', '"value" must have at least 1 key')));
});
