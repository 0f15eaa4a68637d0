// The data model: one strict schema per collection, as fixtures, the control API and state documents have it. Also what
// a sandbox stores of the progress of orders and packages, and instants.
import { isEmailValid } from '@hapi/address';
import { z } from 'zod';
import { baseUrlSlot, trackingNumberSlot } from './addresses.ts';
import { limits } from './limits.ts';
import { permissions } from './operation.ts';
import { lazily, once } from './schema.ts';

const isoInstant = once(() => z.iso.datetime({ offset: true, abort: true }));

/** The last instant with a year of four digits, in milliseconds since 1970. */
export const latestInstant = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant that a clock may show, from 1970 to 9999, in milliseconds since 1970; undefined for any other text. */
export function parseClockInstant(text: string): number | undefined {
  const at = parseInstant(text);
  return at !== undefined && at >= 0 && at <= latestInstant ? at : undefined;
}

/** An ISO 8601 instant with an offset, in milliseconds since 1970; undefined for any other text. */
export function parseInstant(text: string): number | undefined {
  return isoInstant().safeParse(text).success ? Date.parse(text) : undefined;
}

/** The operator's actions on an order. */
export const orderActions = ['accept', 'hold', 'release', 'approve_packaging', 'start_production', 'cancel'] as const;
export type OrderAction = (typeof orderActions)[number];

/** Events of a package. */
export const fulfillmentActions = ['pick_up', 'depart', 'delay', 'deliver', 'lose', 'return'] as const;
export type FulfillmentAction = (typeof fulfillmentActions)[number];

/** The fulfillment statuses that the service itself sets, by their ids in the fixtures. */
export const fulfillmentStatuses = [
  'label_created',
  'picked_up',
  'in_transit',
  'delayed',
  'delivered',
  'lost',
  'returned',
] as const;
export type FulfillmentStatus = (typeof fulfillmentStatuses)[number];

/** The steps of the timeline in order (`fulfillment_timeline: automatic`). */
export const timelineSteps = ['accepted', 'in_production', 'shipped', 'picked_up', 'delivered'] as const;
export type TimelineStep = (typeof timelineSteps)[number];

const id = once(() => z.guid().lowercase());

/**
 * The time of a record: an ISO 8601 instant with any number of decimals and any offset. The output is in UTC with
 * milliseconds; further decimals are cut off.
 * @example time().parse('2030-01-01T02:00:00.123456+02:00') // '2030-01-01T00:00:00.123Z'
 */
export const time = once(() =>
  isoInstant()
    .overwrite((text) => new Date(text).toISOString())
    // Other years have six digits and a sign.
    .refine((text) => /^\d/.test(text), 'an instant from the year 0 to 9999, in UTC'),
);

/** The next step of the order or package with this id, taken when the sandbox's clock passes `due_at`. */
export const dueStep = once(() => z.strictObject({ id: id(), step: z.enum(timelineSteps), due_at: time() }));
export type DueStep = Readonly<z.output<ReturnType<typeof dueStep>>>;

export const maxStatusEvents = 100;

/** The statuses that the order or fulfillment with this id came into, oldest first; without the first of an order. */
export const statusHistory = once(() =>
  z.strictObject({
    id: id(),
    events: z.array(z.strictObject({ status_id: z.string().min(1), at: time() })).max(maxStatusEvents),
  }),
);
export type StatusEvent = Readonly<z.output<ReturnType<typeof statusHistory>>['events'][number]>;
export interface StatusHistory {
  readonly id: string;
  readonly events: readonly StatusEvent[];
}

export const orderStatuses = ['Pending', 'On Hold', 'Needs Changes', 'Accepted', 'In Production', 'Canceled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The statuses of a Packaging Asset Group. Orders stay Pending only with an Active one. */
const pagStatuses = ['Active', 'In Review', 'Inactive'] as const;

const name = once(() => z.string().min(1));
const bounded = (max: number) =>
  name()
    .refine((text) => text.length <= max, `a text of at most ${max} characters`)
    .meta({ maxLength: max });

const isUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
/** A URL. Of a page of the sandbox it begins with a slot that every read fills with the base URL. */
const sandboxUrl = once(() =>
  z
    .string()
    .refine(
      (text) => text.startsWith(`${baseUrlSlot}/`) || isUrl(text),
      `an http(s) URL, or ${baseUrlSlot} and a path for a page of this sandbox`,
    ),
);

const shippingAddress = () =>
  z.strictObject({
    address1: bounded(limits.address1Characters - 1),
    city: bounded(limits.cityCharacters - 1),
    province_name: name().optional(),
    country_name: name(),
    postal_code: name().optional(),
  });
const content = () => z.strictObject({ client_product_id: id(), serving_size: z.number().optional() });
const pouch = () =>
  z
    .strictObject({
      time_of_administration: name().optional(),
      contents: z.array(content()).min(1).optional(),
      pack_id: z.union([name(), z.number()], 'a string or a number').optional(),
    })
    .refine(
      ({ contents, pack_id }) => (contents === undefined) !== (pack_id === undefined),
      'either pack_id or contents, never both',
    );
const orderLine = () => z.strictObject({ id: id(), duration: z.number().optional(), pouches: z.array(pouch()) });
const trackingInfo = () =>
  z.strictObject({
    shipping_carrier: name(),
    shipping_method: name(),
    tracking_number: name(),
    tracking_url: sandboxUrl(),
  });

/** The collections of records, keyed by `id`. */
export const collections = lazily({
  accounts: () => z.strictObject({ id: id(), name: name(), active: z.boolean() }),
  brands: () => z.strictObject({ id: id(), account_id: id(), name: name() }),
  users: () =>
    z.strictObject({
      id: id(),
      brand_id: id(),
      username: name(),
      password: name(),
      active: z.boolean(),
      permissions: z.array(z.enum(permissions)),
    }),
  operator_products: () => z.strictObject({ id: id(), name: name(), discontinued: z.boolean() }),
  products: () =>
    z.strictObject({
      id: id(),
      brand_id: id(),
      operator_product_id: id(),
      product_name: name(),
      active: z.boolean(),
      serving_size: z.number().positive(),
    }),
  packs: () => z.strictObject({ id: name(), brand_id: id(), name: name() }),
  pags: () =>
    z.strictObject({
      id: id(),
      brand_id: id(),
      name: name(),
      status: z.enum(pagStatuses),
      duration: z.number().positive().nullable(),
    }),
  consumers: () =>
    z.strictObject({
      id: id(),
      brand_id: id(),
      first_name: name().nullable(),
      last_name: name().nullable(),
      email: z.string().refine(isEmailValid, 'a valid e-mail address, or null').nullable(),
      phone_number: bounded(limits.phoneCharacters).nullable(),
    }),
  orders: () =>
    z.strictObject({
      id: id(),
      brand_id: id(),
      consumer_id: id(),
      status: z.enum(orderStatuses),
      shipping_address: shippingAddress(),
      order_lines: z.array(orderLine()).min(1),
      created_at: time(),
      updated_at: time(),
    }),
  fulfillments: () =>
    z
      .strictObject({
        id: id(),
        brand_id: id(),
        order_id: id(),
        consumer_id: id(),
        status_id: name(),
        delivery_date: time().nullable(),
        pickup_date: time().nullable(),
        tracking_info: trackingInfo().nullable(),
        shipment_order_id: name(),
        shipment_order_number: name(),
        shipping_net_charge: z.number().nonnegative(),
        weight: z.number().nonnegative(),
        created_at: time(),
        updated_at: time(),
        order_lines: z.array(z.strictObject({ id: id(), name: name() })),
      })
      .refine(({ pickup_date, delivery_date }) => !(pickup_date && delivery_date) || pickup_date <= delivery_date, {
        error: 'a time that is not before pickup_date',
        path: ['delivery_date'],
      }),
  fulfillment_statuses: () => z.strictObject({ id: name(), uuid: id(), name: name() }),
  carriers: () =>
    z.strictObject({
      id: name(),
      name: name(),
      methods: z.array(name()).min(1),
      tracking_number: z.enum(['ups_1z', 'usps_22', 'upu_s10', 'fedex_12', 'dhl_10']),
      tracking_url: sandboxUrl().refine(
        (text) => text.includes(trackingNumberSlot),
        `a URL that includes ${trackingNumberSlot}`,
      ),
    }),
});
export type CollectionName = keyof typeof collections;
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
/** A record of a collection. It is replaced, never changed in place. */
export type RecordOf<Name extends CollectionName> = DeepReadonly<z.output<(typeof collections)[Name]>>;
export const collectionNames = Object.keys(collections) as CollectionName[];

export const timelineStep = once(() =>
  z.strictObject({ delay_seconds: z.number().nonnegative(), spread_seconds: z.number().nonnegative() }),
);

/** The resources that a sandbox has one of. */
export const singles = lazily({
  operator: () => z.strictObject({ name: name() }),
  administration_times: () =>
    z.strictObject({
      values: z.array(bounded(limits.administrationTimeCharacters)).min(1).max(limits.administrationTimes),
    }),
  timeline: () =>
    z.strictObject({
      accepted: timelineStep(),
      in_production: timelineStep(),
      shipped: timelineStep(),
      picked_up: timelineStep(),
      delivered: timelineStep(),
    }),
});
export type SingleName = keyof typeof singles;
export type SingleOf<Name extends SingleName> = DeepReadonly<z.output<(typeof singles)[Name]>>;
export const singleNames = Object.keys(singles) as SingleName[];

/** An id that no record has, for samples of records that the fixtures lack. */
export const unknownId = 'ffffffff-0000-4000-8000-00000000000f';
