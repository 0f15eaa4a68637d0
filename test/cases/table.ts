// The case table: every rule by which every operation can reject a request. A missing case does not compile.
import type { Choices } from '../../src/contract/assumptions.ts';
import { type OperationId, operationList } from '../../src/contract/operations.ts';
import { day, fixtures, type TestSachet } from '../support/sachet.ts';
import { type Case, type CaseTable, invalid } from './case.ts';
import { refreshToken, sharedCases, singleCases } from './common.ts';
import { known, lineWith, newConsumer, orderWith, unknownId } from './requests.ts';

/** A body that is rejected because of one field. */
const body = (sent: unknown, field: string, message: string, assumptions: Partial<Choices> = {}): Case => ({
  assumptions,
  request: { body: sent },
  rejection: invalid(field, message),
});
/** The valid order with these values at these paths, rejected because of one field. */
const order = (
  patches: Readonly<Record<string, unknown>>,
  field: string,
  message: string,
  assumptions?: Partial<Choices>,
) => body(orderWith(patches), field, message, assumptions);
/** The valid order with one value that is rejected. */
const value = (path: string, sent: unknown, message: string, assumptions?: Partial<Choices>) =>
  order({ [path]: sent }, path, message, assumptions);

const login = { username: 'demo', password: 'sachet-demo' };
const authentication = {
  'authentication.token': {
    'AUTH-1': body({ username: 'demo' }, 'password', '"password" is required'),
    'OPEN-3': body({ ...login, password: 7 }, 'password', '"password" must be a string'),
    'OPEN-4': body({ ...login, username: '' }, 'username', '"username" is not allowed to be empty'),
    'OPEN-6': body('demo', '', '"value" must be of type object'),
    unknown_fields: body({ ...login, grant_type: 'password' }, 'grant_type', '"grant_type" is not allowed'),
    bad_credentials: {
      request: { body: { ...login, password: 'sachet' } },
      rejection: { status: 401, message: 'Invalid username or password' },
    },
  },
  'authentication.refresh': {
    'AUTH-2': body({}, 'refresh_token', '"refresh_token" is required'),
    'OPEN-3': body({ refresh_token: null }, 'refresh_token', '"refresh_token" must be a string'),
    'OPEN-4': body({ refresh_token: '' }, 'refresh_token', '"refresh_token" is not allowed to be empty'),
    'OPEN-6': body([], '', '"value" must be of type object'),
    unknown_fields: body({ refresh_token: 'x', scope: 'all' }, 'scope', '"scope" is not allowed'),
    expired_refresh_token: {
      assumptions: { unauthorized_message: 'Invalid token' },
      advance: 30 * day,
      request: { body: { refresh_token: refreshToken } },
      rejection: { status: 401, message: 'Token expired' },
    },
    bad_refresh_token: {
      assumptions: { unauthorized_message: 'Invalid token' },
      request: { body: { refresh_token: 'no token' } },
      rejection: { status: 401, message: 'Invalid token' },
    },
  },
} as const satisfies Partial<CaseTable>;

/** The rules of a new consumer: a whole body, or the `consumer` of an order. */
function newConsumerCases(
  bodyOf: (consumer: unknown) => unknown,
  place: '' | 'consumer',
  assumptions: Partial<Choices>,
) {
  const consumer = (sent: unknown, at: string, message: string, more: Partial<Choices> = {}) =>
    body(bodyOf(sent), [place, at].filter(Boolean).join('.'), message, { ...assumptions, ...more });
  const phone = (phone_number: string, message: string) =>
    consumer({ ...newConsumer, phone_number }, 'phone_number', message);
  const label = place || 'value';
  const { last_name: _, ...firstNameOnly } = newConsumer;
  return {
    'ORD-9': consumer(firstNameOnly, 'last_name', '"last_name" is required'),
    'ORD-12': consumer({ ...newConsumer, email: 'ada@' }, 'email', '"email" must be a valid email'),
    'ORD-13': phone('+123456789012345', '"phone_number" length must be less than or equal to 15'),
    'OPEN-2': consumer({}, '', `"${label}" must have at least 1 key`),
    new_consumer_contact: consumer(
      { first_name: 'Ada', last_name: 'Lovelace' },
      '',
      `"${label}" must contain at least one of [email, phone_number]`,
      { new_consumer_contact: 'either' },
    ),
    phone_format: phone(
      '0202555',
      '"phone_number" with value "0202555" fails to match the required pattern: /^\\+[1-9]\\d{1,14}$/',
    ),
  };
}

const offered = { consumer_endpoints: 'assumed' } as const;
const consumers = {
  'consumers.create': {
    ...newConsumerCases((consumer) => consumer, '', offered),
    'OPEN-3': body({ ...newConsumer, first_name: 1 }, 'first_name', '"first_name" must be a string', offered),
    'OPEN-4': body({ ...newConsumer, email: '' }, 'email', '"email" is not allowed to be empty', offered),
    'OPEN-6': body(null, '', '"value" must be of type object', offered),
    unknown_fields: body({ ...newConsumer, age: 36 }, 'age', '"age" is not allowed', offered),
  },
  'consumers.get': singleCases('consumers.get', 'CAT-2', 'Consumer', known.foreignConsumer),
} as const satisfies Partial<CaseTable>;

const line = 'order_lines.0';
const pouch = `${line}.pouches.0`;
const product = `${pouch}.contents.0.client_product_id`;

/** The rules on the shape of an order that POST and PATCH share. */
const orderShape = {
  ...newConsumerCases((consumer) => orderWith({ consumer }), 'consumer', {}),
  'ORD-4': value('order_lines', [], '"order_lines" must contain at least 1 items'),
  'ORD-5': value(`${line}.pouches`, undefined, '"pouches" is required'),
  'ORD-6': value(pouch, { time_of_administration: 'Morning' }, 'Either pack_id or contents required'),
  'ORD-7': value(product, undefined, '"client_product_id" is required'),
  'ORD-8': value(product, 'D3', '"client_product_id" must be a valid GUID'),
  'ORD-10': order({ consumer: { id: '7' } }, 'consumer.id', '"id" must be a valid GUID'),
  'ORD-14': value('shipping_address.address1', undefined, '"address1" is required'),
  'ORD-15': value('shipping_address.address1', 'x'.repeat(100), 'Address line 1 must be less than 100 characters'),
  'ORD-16': value('shipping_address.city', 'x'.repeat(50), 'City must be less than 50 characters'),
  'ORD-26': order(
    { [`${pouch}.pack_id`]: known.pack },
    pouch,
    '"[0]" contains a conflict between exclusive peers [contents, pack_id]',
    { pouch_both: 'joi' },
  ),
  'OPEN-1': order(
    { consumer: { id: known.consumer, first_name: 'Ada' } },
    'consumer.first_name',
    '"first_name" is not allowed',
  ),
  'OPEN-3': value('shipping_address.city', 5, '"city" must be a string'),
  'OPEN-4': value('shipping_address.country_name', '', '"country_name" is not allowed to be empty'),
  'OPEN-5': value(`${line}.duration`, 2 ** 53, '"duration" must be a safe number'),
  'OPEN-6': body([], '', '"value" must be of type object'),
  unknown_fields: value('gift', true, '"gift" is not allowed'),
  empty_arrays: value(`${line}.pouches`, [], '"pouches" must contain at least 1 items'),
  empty_contents: value(`${pouch}.contents`, [], '"contents" must contain at least 1 items'),
  time_of_administration: value(
    `${pouch}.time_of_administration`,
    'Tea time',
    '"time_of_administration" must be one of [Morning, Midday, Evening, Bedtime]',
    { time_of_administration: 'closed' },
  ),
};

/** Leaves the brand of `demo` without a default PAG: a line of another duration than 30 or 90 then has no PAG. */
export const dropDefaultPag = ({ control }: Pick<TestSachet, 'control'>): Promise<unknown> => {
  const id = fixtures.pags.find(({ duration }) => duration === null)?.id ?? '';
  return control.sandbox('stage').records.pags.update(id, { duration: 365 });
};

const ordering = (id: string) => ({ order_lines: [lineWith(id)] });
/** The business rules that POST and PATCH share. */
export const orderBusinessCases = {
  'ORD-11': order({ consumer: { id: unknownId } }, 'consumer.id', 'Consumer not found'),
  'ORD-17': order(ordering(unknownId), product, 'Product not found'),
  'ORD-18': order(ordering(known.foreignProduct), product, 'Product does not belong to client'),
  'ORD-19': order(
    ordering(known.inactiveProduct),
    'order_lines',
    'The following client products are inactive and cannot be ordered: Ashwagandha Balance',
  ),
  'ORD-20': order(
    ordering(known.discontinuedProduct),
    'order_lines',
    'The following Meridian products are inactive and cannot be ordered: Turmeric Curcumin 500 mg Capsule',
  ),
  'ORD-21': {
    ...order({ [`${line}.duration`]: 31 }, line, 'No Packaging Asset Group ID found for the order line'),
    meanwhile: dropDefaultPag,
  },
  pack_id: order({ [pouch]: { pack_id: known.foreignPack } }, `${pouch}.pack_id`, 'Pack not found', {
    pack_id: 'known',
  }),
};

const missing = (field: string) => value(field, undefined, `"${field}" is required`);
const singleOrder = (id: 'orders.get' | 'orders.update' | 'orders.cancel' | 'orders.fulfillments') =>
  singleCases(id, 'FUL-2', 'Order', known.foreignOrder);

const orders = {
  'orders.create': {
    'ORD-1': missing('consumer'),
    'ORD-2': missing('shipping_address'),
    'ORD-3': missing('order_lines'),
    ...orderShape,
    ...orderBusinessCases,
  },
  'orders.get': singleOrder('orders.get'),
  'orders.update': {
    ...singleOrder('orders.update'),
    ...orderShape,
    ...orderBusinessCases,
    'ORD-22': {
      request: { path: `/v2/orders/${known.inProductionOrder}` },
      rejection: { status: 422, message: 'Order cannot be modified' },
    },
  },
  'orders.cancel': {
    ...singleOrder('orders.cancel'),
    'ORD-23': {
      request: { path: `/v2/orders/${known.inProductionOrder}/cancel` },
      rejection: { status: 422, message: 'Order cannot be canceled' },
    },
  },
} as const satisfies Partial<CaseTable>;

/** The cases that do not follow from the declaration of an operation. */
const ownCases: CaseTable = {
  ...authentication,
  ...consumers,
  ...orders,
  'products.get': singleCases('products.get', 'CAT-2', 'Product', known.foreignProduct),
  'fulfillments.get': singleCases('fulfillments.get', 'FUL-1', 'Fulfillment', known.foreignFulfillment),
  'orders.fulfillments': singleOrder('orders.fulfillments'),
};

export interface Row {
  readonly id: OperationId;
  readonly rule: string;
  readonly given: Case;
}

export const rows: readonly Row[] = operationList.flatMap((operation) => {
  const own: Partial<Record<OperationId, Readonly<Record<string, Case>>>> = ownCases;
  const cases: Readonly<Record<string, Case>> = { ...sharedCases(operation), ...own[operation.id] };
  return Object.entries(cases).map(([rule, given]) => ({ id: operation.id, rule, given }));
});
