// The rules on the shape of an order request that POST and PATCH have in common. `request.path` is the operation's own.
import type { Choices } from '../../src/contract/assumptions.ts';
import { type Case, invalid, type Refused } from './case.ts';
import { newConsumerCases } from './new-consumer.ts';
import { known, orderWith } from './requests.ts';

const line = 'order_lines.0';
const pouch = `${line}.pouches.0`;
const content = `${pouch}.contents.0`;

export const patched = (
  patches: Readonly<Record<string, unknown>>,
  refused: Refused,
  assumptions: Partial<Choices> = {},
): Case => ({ assumptions, request: { body: orderWith(patches) }, refused });

/** One value that is wrong, refused at its own place. */
const wrong = (path: string, value: unknown, message: string, assumptions?: Partial<Choices>): Case =>
  patched({ [path]: value }, invalid(path, message), assumptions);

const contentCases = {
  'ORD-4': wrong('order_lines', [], '"order_lines" must contain at least 1 items'),
  'ORD-5': wrong(`${line}.pouches`, undefined, '"pouches" is required'),
  'ORD-6': wrong(pouch, { time_of_administration: 'Morning' }, 'Either pack_id or contents required'),
  'ORD-7': wrong(`${content}.client_product_id`, undefined, '"client_product_id" is required'),
  'ORD-8': wrong(`${content}.client_product_id`, 'D3', '"client_product_id" must be a valid GUID'),
  'ORD-26': patched(
    { [`${pouch}.pack_id`]: known.pack },
    invalid(pouch, '"[0]" contains a conflict between exclusive peers [contents, pack_id]'),
    { pouch_both: 'joi' },
  ),
  'OPEN-5': wrong(`${line}.duration`, 2 ** 53, '"duration" must be a safe number'),
  empty_arrays: wrong(`${line}.pouches`, [], '"pouches" must contain at least 1 items'),
  empty_contents: wrong(`${pouch}.contents`, [], '"contents" must contain at least 1 items'),
  time_of_administration: wrong(
    `${pouch}.time_of_administration`,
    'Tea time',
    '"time_of_administration" must be one of [Morning, Midday, Evening, Bedtime]',
    { time_of_administration: 'closed' },
  ),
};

const addressCases = {
  'ORD-14': wrong('shipping_address.address1', undefined, '"address1" is required'),
  'ORD-15': wrong('shipping_address.address1', 'x'.repeat(100), 'Address line 1 must be less than 100 characters'),
  'ORD-16': wrong('shipping_address.city', 'x'.repeat(50), 'City must be less than 50 characters'),
  'OPEN-3': wrong('shipping_address.city', 5, '"city" must be a string'),
  'OPEN-4': wrong('shipping_address.country_name', '', '"country_name" is not allowed to be empty'),
};

export const orderShapeCases = {
  ...contentCases,
  ...addressCases,
  ...newConsumerCases({
    wrap: (consumer) => orderWith({ consumer }),
    prefix: 'consumer.',
    field: 'consumer',
    label: 'consumer',
    assumptions: {},
  }),
  'ORD-10': patched({ consumer: { id: '7' } }, invalid('consumer.id', '"id" must be a valid GUID')),
  'OPEN-1': patched(
    { consumer: { id: known.consumer, first_name: 'Ada' } },
    invalid('consumer.first_name', '"first_name" is not allowed'),
  ),
  'OPEN-6': { request: { body: [] }, refused: invalid('', '"value" must be of type object') },
  unknown_fields: wrong('gift', true, '"gift" is not allowed'),
} as const;
