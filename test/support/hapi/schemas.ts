/** What the reference checks of each route, in Joi, written from the contract and its readings: path, query, body. */
import Joi from 'joi';
import { joiOrder, ORDER_READINGS, type OrderChoices } from '../joi-order.ts';

/** A route as the reference has it; `id` of the path by its own name. */
export interface ReferenceRoute {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** Whether it is called without a token. */
  readonly isOpen?: boolean;
  readonly params?: Joi.ObjectSchema;
  readonly query?: Joi.ObjectSchema;
  readonly body?: Joi.ObjectSchema;
}

const choices = Object.fromEntries(
  Object.entries(ORDER_READINGS).map(([id, [usual]]) => [id, usual]),
) as unknown as OrderChoices;

/** reading.md: 8-4-4-4-12 hexadecimal digits, narrower than Joi's. */
const guid = () =>
  Joi.string()
    .pattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)
    .messages({ 'string.pattern.base': '{{#label}} must be a valid GUID' });

const page = { limit: Joi.number().integer().min(1), cursor: Joi.string() };
const order = joiOrder(choices, []);
const someFields = order.fork(['consumer', 'shipping_address', 'order_lines'], (field) => field.optional()).min(1);
const ofOrder = Joi.object({ orderId: guid() });
const withId = Joi.object({ id: guid() });

export const referenceRoutes: readonly ReferenceRoute[] = [
  {
    method: 'POST',
    path: '/v2/authentication/token',
    isOpen: true,
    body: Joi.object({ username: Joi.string().required(), password: Joi.string().required() }).required(),
  },
  {
    method: 'POST',
    path: '/v2/authentication/refresh-token',
    isOpen: true,
    body: Joi.object({ refresh_token: Joi.string().required() }).required(),
  },
  { method: 'GET', path: '/v2/products' },
  { method: 'GET', path: '/v2/products/{id}', params: withId },
  { method: 'GET', path: '/v2/consumers/{id}', params: withId },
  { method: 'GET', path: '/v2/orders', query: Joi.object(page) },
  { method: 'POST', path: '/v2/orders', body: order },
  { method: 'GET', path: '/v2/orders/{orderId}', params: ofOrder },
  { method: 'PATCH', path: '/v2/orders/{orderId}', params: ofOrder, body: someFields },
  { method: 'POST', path: '/v2/orders/{orderId}/cancel', params: ofOrder },
  { method: 'GET', path: '/v2/orders/{orderId}/fulfillments', params: ofOrder },
  { method: 'GET', path: '/v2/fulfillments', query: Joi.object({ ...page, order_id: guid() }) },
  { method: 'GET', path: '/v2/fulfillments/{fulfillmentId}', params: Joi.object({ fulfillmentId: guid() }) },
];
