// The body of an order request and its parts, in the contract's order of fields (ORD-1 to ORD-16).
import { z } from 'zod';
import { consumerPattern } from './consumers.ts';
import { limits } from './limits.ts';
import { type Assumptions, perAssumptions } from './resolved-assumptions.ts';
import {
  atMost,
  body,
  docAtLeastOne,
  docWays,
  guid,
  isRecord,
  list,
  nameText,
  number,
  object,
  text,
  textOrNumber,
} from './schema.ts';

const shippingAddress = perAssumptions((assumptions) =>
  object(
    assumptions,
    {
      address1: atMost(nameText(assumptions, 'ORD-14'), limits.address1Characters - 1, 'ORD-15'),
      city: atMost(nameText(assumptions, 'ORD-14'), limits.cityCharacters - 1, 'ORD-16'),
      province_name: nameText(assumptions).optional(),
      country_name: nameText(assumptions, 'ORD-14'),
      postal_code: nameText(assumptions).optional(),
    },
    'ORD-2',
  ).meta({ id: 'ShippingAddress' }),
);

function timeOfAdministration(assumptions: Assumptions) {
  const label =
    assumptions.get('time_of_administration') === 'any'
      ? text()
      : z.enum([...assumptions.administrationTimes], 'time_of_administration');
  return label.meta({ description: 'A label for the time of day.' }).optional();
}

const content = perAssumptions((assumptions) =>
  object(assumptions, {
    client_product_id: guid(assumptions, 'ORD-8', 'ORD-7').meta({
      description: 'An active product of the calling client.',
    }),
    serving_size: number(assumptions).optional(),
  }).meta({ id: 'ContentItem' }),
);

const has = (value: unknown, key: string): boolean => isRecord(value) && value[key] !== undefined;

/** Either pack_id or contents. */
const pouch = perAssumptions((assumptions) => {
  const both = assumptions.get('pouch_both') === 'joi' ? 'ORD-26' : 'ORD-6';
  return object(assumptions, {
    time_of_administration: timeOfAdministration(assumptions),
    contents: list(content(assumptions), 'OPEN-3', 'empty_contents').optional(),
    pack_id: textOrNumber().optional(),
  })
    .refine((value) => !isRecord(value) || has(value, 'pack_id') !== has(value, 'contents'), {
      error: ({ input }) => (has(input, 'pack_id') ? both : 'ORD-6'),
      when: () => true,
    })
    .meta({
      id: 'Pouch',
      description: 'Either `contents` or `pack_id`, never both.',
      override: docWays([['contents'], ['pack_id']]),
    });
});

const orderLine = perAssumptions((assumptions) => {
  const empty = assumptions.get('empty_arrays') === 'reject' ? 'empty_arrays' : undefined;
  return object(assumptions, {
    duration: number(assumptions).meta({ description: 'The duration. Its unit is not published.' }).optional(),
    pouches: list(pouch(assumptions), 'ORD-5', empty),
  }).meta({ id: 'OrderLine' });
});

/** The body of POST /v2/orders. */
export const orderRequest = perAssumptions((assumptions) =>
  body(assumptions, {
    consumer: consumerPattern(assumptions),
    shipping_address: shippingAddress(assumptions),
    order_lines: list(orderLine(assumptions), 'ORD-3', 'ORD-4'),
  }).meta({ id: 'OrderRequest' }),
);

/** The body of PATCH /v2/orders/{orderId}: at least one of the three fields. */
export const orderUpdate = perAssumptions((assumptions) => {
  const fields = {
    consumer: consumerPattern(assumptions).optional(),
    shipping_address: shippingAddress(assumptions).optional(),
    order_lines: list(orderLine(assumptions), 'ORD-3', 'ORD-4').optional(),
  };
  const isClosed = assumptions.get('unknown_fields') === 'reject';
  return body(assumptions, fields)
    .refine((value) => Object.keys(value).length > 0, { error: 'OPEN-2', when: ({ issues }) => issues.length === 0 })
    .meta({
      id: 'OrderUpdate',
      ...(isClosed ? { minProperties: 1 } : docAtLeastOne(Object.keys(fields))),
    });
});

export type OrderRequest = z.output<ReturnType<typeof orderRequest>>;
export type OrderUpdate = z.output<ReturnType<typeof orderUpdate>>;
export type OrderLineRequest = OrderRequest['order_lines'][number];
