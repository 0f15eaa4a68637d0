// A package's tracking page, as the carrier would show it: public, like the carriers' own.
import { statusName, trackedPackage } from '../../domain/tracking.ts';
import { timestamp, type World } from '../../domain/world.ts';
import type { ServiceResponse } from '../exchange.ts';
import type { ExtraRoute } from '../request-context.ts';
import { failedPage, noSuchPackagePage, noSuchSandboxPage, trackingPage } from './page.ts';

export const trackingPages: ExtraRoute = {
  name: 'tracking',
  answer: async (request) => request.read((world) => pageOf(world, request.c.req.param('number') ?? '')),
  unknownSandbox: ({ sandboxName = '' }) => noSuchSandboxPage(sandboxName),
  failed: failedPage,
};

function pageOf(world: World, number: string): ServiceResponse {
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
