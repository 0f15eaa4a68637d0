// What stands on a package's shipping label. How it looks is not said here.
import type { RecordOf } from '../contract/records.ts';
import type { World } from './world.ts';

/** The words of a label. Lines are shown one below the other, as they are. */
export interface ShippingLabel {
  readonly fulfillmentId: string;
  /** The carrier's name and its service level; null while no carrier is assigned. */
  readonly carrier: { readonly name: string; readonly method: string; readonly trackingNumber: string } | null;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly orderNumber: string;
  readonly weightGrams: number;
  /** What is in the package: a name per shipped line. */
  readonly contents: readonly string[];
  /** ISO 8601; the same fulfillment gives the same label. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The label of a package. */
export function shippingLabel(world: World, fulfillment: RecordOf<'fulfillments'>): ShippingLabel {
  const {
    id,
    tracking_info: tracking,
    shipment_order_number,
    weight,
    created_at,
    updated_at,
    order_lines,
  } = fulfillment;
  const order = world.table('orders').get(fulfillment.order_id);
  return {
    fulfillmentId: id,
    carrier: tracking && {
      name: tracking.shipping_carrier,
      method: tracking.shipping_method,
      trackingNumber: tracking.tracking_number,
    },
    from: [world.single('operator').name, `for ${world.table('brands').get(fulfillment.brand_id)?.name}`],
    to: order ? addressee(world.table('consumers').get(fulfillment.consumer_id), order.shipping_address) : [],
    orderNumber: shipment_order_number,
    weightGrams: weight,
    contents: order_lines.map(({ name }) => name),
    createdAt: created_at,
    updatedAt: order && order.updated_at > updated_at ? order.updated_at : updated_at,
  };
}

function addressee(
  consumer: RecordOf<'consumers'> | undefined,
  address: RecordOf<'orders'>['shipping_address'],
): string[] {
  const { address1, city, province_name: province, postal_code: code, country_name } = address;
  const name = [consumer?.first_name, consumer?.last_name].filter(Boolean).join(' ');
  const region = [province, code].filter(Boolean).join(' ');
  return [name || 'Resident', address1, region ? `${city}, ${region}` : city, country_name];
}
