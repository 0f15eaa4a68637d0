// The order request and its parts, in the contract's order of fields (ORD-1 to ORD-16).
import { z } from 'zod';
import { consumerPattern } from './consumer-pattern.ts';
import { limits } from './limits.ts';
import { atMost, body, guid, isRecord, list, number, object, text, textOrNumber } from './schema.ts';
import { perTerms, type Terms } from './terms.ts';

function shippingAddress(terms: Terms, missing: 'ORD-2' | 'OPEN-3') {
  const shape = {
    address1: text('ORD-14').refine(atMost(limits.address1Characters - 1), 'ORD-15'),
    city: text('ORD-14').refine(atMost(limits.cityCharacters - 1), 'ORD-16'),
    province_name: text().optional(),
    country_name: text('ORD-14'),
    postal_code: text().optional(),
  };
  return object(terms, shape, missing);
}

function timeOfAdministration(terms: Terms) {
  if (terms.get('time_of_administration') === 'any') return text().optional();
  return z.enum([...terms.administrationTimes], 'time_of_administration').optional();
}

const empty = (terms: Terms) => (terms.get('empty_arrays') === 'reject' ? 'empty_arrays' : undefined);

function content(terms: Terms) {
  return object(terms, {
    client_product_id: guid('ORD-8', 'ORD-7'),
    serving_size: number(terms).optional(),
  });
}

const has = (value: unknown, key: string): boolean => isRecord(value) && value[key] !== undefined;

/** A pouch: pack_id or contents, never both and never neither. */
function pouch(terms: Terms) {
  const both = terms.get('pouch_both') === 'joi' ? 'ORD-26' : 'ORD-6';
  return object(terms, {
    time_of_administration: timeOfAdministration(terms),
    contents: list(content(terms), 'OPEN-3', empty(terms)).optional(),
    pack_id: textOrNumber().optional(),
  }).refine((value) => !isRecord(value) || has(value, 'pack_id') !== has(value, 'contents'), {
    error: ({ input }) => (has(input, 'pack_id') ? both : 'ORD-6'),
    when: () => true,
  });
}

function orderLine(terms: Terms) {
  return object(terms, {
    duration: number(terms).optional(),
    pouches: list(pouch(terms), 'ORD-5', empty(terms)),
  });
}

/** The body of POST /v2/orders. */
export const orderRequest = perTerms((terms) =>
  body(terms, {
    consumer: consumerPattern(terms, 'ORD-1'),
    shipping_address: shippingAddress(terms, 'ORD-2'),
    order_lines: list(orderLine(terms), 'ORD-3', 'ORD-4'),
  }),
);

/** The body of PATCH /v2/orders/{orderId}: any of the order request's three fields, at least one. */
export const orderUpdate = perTerms((terms) =>
  body(terms, {
    consumer: consumerPattern(terms).optional(),
    shipping_address: shippingAddress(terms, 'OPEN-3').optional(),
    order_lines: list(orderLine(terms), 'OPEN-3', 'ORD-4').optional(),
  }).refine((value) => Object.keys(value).length > 0, 'OPEN-2'),
);

export type OrderRequest = z.output<ReturnType<typeof orderRequest>>;
export type OrderUpdate = z.output<ReturnType<typeof orderUpdate>>;
export type OrderLineRequest = OrderRequest['order_lines'][number];
