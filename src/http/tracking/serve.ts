// A package's tracking page, as the carrier would show it: public, like the carriers' own.
import { statusName, trackedPackage } from '../../domain/tracking.ts';
import { timestamp, type World } from '../../domain/world.ts';
import type { Arrival } from '../arrival.ts';
import { serveBeside } from '../beside.ts';
import type { Call } from '../call.ts';
import type { Edge } from '../edge.ts';
import type { Rendered } from '../rendered.ts';
import { failedPage, noSuchPackagePage, noSuchSandboxPage, trackingPage } from './page.ts';

export const serveTracking = (edge: Edge, arrival: Arrival): Promise<Response> =>
  serveBeside(edge, arrival, {
    name: 'tracking',
    answer: (call) => call.read((world) => pageOf(world, call)),
    unknownSandbox: () => noSuchSandboxPage(arrival.sandboxName ?? ''),
    failed: failedPage,
  });

function pageOf(world: World, { arrival }: Call): Rendered {
  const { number = '' } = arrival.params;
  const found = trackedPackage(world, number);
  const { fulfillment, events = [] } = found ?? {};
  const tracking = fulfillment?.tracking_info;
  if (!(fulfillment && tracking)) return noSuchPackagePage(number);
  return trackingPage({
    carrier: tracking.shipping_carrier,
    method: tracking.shipping_method,
    trackingNumber: tracking.tracking_number,
    status: statusName(world, fulfillment.status_id),
    events,
    now: timestamp(world),
    sandbox: world.identity.name,
    orderNumber: fulfillment.shipment_order_number,
    deliveredAt: fulfillment.delivery_date,
  });
}
