// A package on its way, as its tracking page is given it.
import type { TrackedPackage } from '../../src/http/tracking.ts';

export const tracked: TrackedPackage = {
  brand: 'Daily Grove',
  carrier: 'UPS',
  method: 'Ground',
  trackingNumber: '1ZA10E830367228528',
  destination: 'Springfield, United States',
  status: 'Delivered',
  progress: { steps: ['Label created', 'Picked up', 'Delivered'], reached: 2, hasProblem: false },
  events: [
    { at: '2026-11-20T09:30:15.000Z', name: 'Delivered' },
    { at: '2026-11-18T16:05:00.000Z', name: 'Picked up' },
  ],
  now: '2026-11-20T12:00:00.000Z',
  sandbox: 'stage',
  orderNumber: '100017',
  deliveredAt: '2026-11-20T09:30:15.000Z',
};
