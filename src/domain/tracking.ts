// The history of orders and packages, and the tracking numbers of carriers.
import { maxStatusEvents, type RecordOf, type StatusEvent } from '../contract/records.ts';
import type { World } from './world.ts';

type Fulfillment = RecordOf<'fulfillments'>;

export interface Tracked {
  readonly fulfillment: Fulfillment;
  /** Newest first. */
  readonly events: readonly (StatusEvent & { readonly name: string })[];
}

/** Adds to the history of an order or a package that it came into this status. */
export function addStatusEvent(world: World, id: string, event: StatusEvent): void {
  const table = world.table('tracking');
  const former = table.get(id);
  const events = [...(former?.events ?? []), event].slice(-maxStatusEvents);
  if (former) table.replace({ id, events });
  else table.insert({ id, events });
}

/** The package with this tracking number; if there are several, the newest. */
export function trackedPackage(world: World, trackingNumber: string): Tracked | undefined {
  const [newest] = world.table('fulfillments').walk('tracking_number', trackingNumber, { newestFirst: true });
  return newest && { fulfillment: newest[1], events: packageEvents(world, newest[1]) };
}

export const statusName = (world: World, id: string): string => world.table('fulfillment_statuses').get(id)?.name ?? id;

/** The history of a package, newest first. */
export const packageEvents = (world: World, fulfillment: Fulfillment): Tracked['events'] =>
  eventsOf(world, fulfillment).map((event) => ({ ...event, name: statusName(world, event.status_id) }));

/** The recorded events. Packages of fixtures or testers may lack them: the dates of the record complete them. */
function eventsOf(world: World, fulfillment: Fulfillment): StatusEvent[] {
  const recorded = world.table('tracking').get(fulfillment.id)?.events ?? [];
  const { created_at, pickup_date, delivery_date, updated_at, status_id } = fulfillment;
  const missing = (status: string, at: string | null, among: readonly StatusEvent[]): StatusEvent[] =>
    at === null || among.some((event) => event.status_id === status) ? [] : [{ status_id: status, at }];
  const dated = [
    ...missing('label_created', created_at, recorded),
    ...missing('picked_up', pickup_date, recorded),
    ...missing('delivered', delivery_date, recorded),
    ...recorded,
  ];
  const events = [...dated, ...missing(status_id, updated_at, dated)];
  // Of events at the same instant, the last in the list is the newest.
  return events.reverse().sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

// Tracking numbers, made from a serial number as the carriers make them.

type TrackingFormat = RecordOf<'carriers'>['tracking_number'];

/** A number is `before`, `head`, serial number, check digit, `after`. The check digit covers head and serial number. */
interface NumberParts {
  readonly before: string;
  readonly head: string;
  readonly serialDigits: number;
  readonly checkDigit: (body: string) => number;
  readonly after: string;
}

/** Letters count as at UPS: A is 2, H is 9, I is 0. */
const valuesOf = (body: string): number[] =>
  [...body].map((character) => (character < 'A' ? Number(character) : (character.charCodeAt(0) - 63) % 10));
const weighted = (values: readonly number[], weights: readonly number[]): number =>
  values.reduce((sum, value, index) => sum + value * (weights[index % weights.length] ?? 0), 0);
const toNextTen = (sum: number): number => (10 - (sum % 10)) % 10;

/** UPS, «modified MOD 10»: answers.google.com/answers/threadview/id/207899.html. */
const upsCheckDigit = (body: string): number => toNextTen(weighted(valuesOf(body), [1, 2]));

/** USPS Publication 199, «MOD 10 check digit»: 3, 1 from the right; with 21 digits also from the left. */
const uspsCheckDigit = (body: string): number => toNextTen(weighted(valuesOf(body), [3, 1]));

/** UPU Technical Standard S10: 11 less the remainder, with 0 for 10 and 5 for 11. */
function s10CheckDigit(body: string): number {
  const remainder = weighted(valuesOf(body), [8, 6, 4, 2, 3, 5, 9, 7]) % 11;
  return remainder === 0 ? 5 : (11 - remainder) % 10;
}

/** FedEx Express, from the same source as UPS: 1, 3, 7 from the right; 0 for a remainder of 10. */
const fedexCheckDigit = (body: string): number => (weighted(valuesOf(body), [3, 1, 7]) % 11) % 10;

/** DHL Express, «mod7»: github.com/jkeen/tracking_number_data, couriers/dhl.json; DHL publishes no document. */
const dhlCheckDigit = (body: string): number => Number(body) % 7;

export const trackingFormats: Readonly<Record<TrackingFormat, NumberParts>> = {
  // Shipper A10E83, service 03 (UPS Ground).
  ups_1z: { before: '1Z', head: 'A10E8303', serialDigits: 7, checkDigit: upsCheckDigit, after: '' },
  // 94: source of the barcode; service 001; mailer 903174562.
  usps_22: { before: '', head: '94001903174562', serialDigits: 7, checkDigit: uspsCheckDigit, after: '' },
  upu_s10: { before: 'LZ', head: '', serialDigits: 8, checkDigit: s10CheckDigit, after: 'US' },
  fedex_12: { before: '', head: '79', serialDigits: 9, checkDigit: fedexCheckDigit, after: '' },
  dhl_10: { before: '', head: '4', serialDigits: 8, checkDigit: dhlCheckDigit, after: '' },
};

/** How many serial numbers a format has. They start at 0. */
export const serialsOf = (format: TrackingFormat): number => 10 ** trackingFormats[format].serialDigits;

export function trackingNumber(format: TrackingFormat, serial: number): string {
  const { before, head, serialDigits, checkDigit, after } = trackingFormats[format];
  const body = head + String(serial).padStart(serialDigits, '0');
  return `${before}${body}${checkDigit(body)}${after}`;
}
