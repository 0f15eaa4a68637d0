// What a package's tracking page shows: what became of it.
import type { RecordOf, TrackingEvent } from '../contract/records.ts';
import type { World } from './world.ts';

type Fulfillment = RecordOf<'fulfillments'>;

export interface Tracked {
  readonly fulfillment: Fulfillment;
  /** Newest first. */
  readonly events: readonly { readonly at: string; readonly name: string }[];
}

/** The package with this tracking number; of several the one made last. */
export function trackedPackage(world: World, trackingNumber: string): Tracked | undefined {
  const found = world.table('fulfillments').walk('tracking_number', trackingNumber, { newestFirst: true });
  for (const [, fulfillment] of found) {
    return { fulfillment, events: packageEvents(world, fulfillment) };
  }
  return undefined;
}

/** The name of a fulfillment status, as the fixtures have it. */
export const statusName = (world: World, id: string): string => world.table('fulfillment_statuses').get(id)?.name ?? id;

/** What became of a package, newest first, each by its name. */
export const packageEvents = (world: World, fulfillment: Fulfillment): Tracked['events'] =>
  eventsOf(world, fulfillment).map(({ at, status_id }) => ({ at, name: statusName(world, status_id) }));

/** What was kept, and where nothing was, what the record tells: of packages that the fixtures or a tester made, no more is known. */
function eventsOf(world: World, fulfillment: Fulfillment): TrackingEvent[] {
  const kept = world.table('tracking').get(fulfillment.id)?.events ?? [];
  const { created_at, pickup_date, delivery_date, updated_at, status_id } = fulfillment;
  const missing = (status: string, at: string | null, among: readonly TrackingEvent[]): TrackingEvent[] =>
    at === null || among.some((event) => event.status_id === status) ? [] : [{ status_id: status, at }];
  const dated = [
    ...missing('label_created', created_at, kept),
    ...missing('picked_up', pickup_date, kept),
    ...missing('delivered', delivery_date, kept),
    ...kept,
  ];
  // Of one instant, what stands last is the newest.
  return [...dated, ...missing(status_id, updated_at, dated)].sort(byTime).reverse();
}

const byTime = (one: TrackingEvent, other: TrackingEvent): number =>
  one.at < other.at ? -1 : one.at > other.at ? 1 : 0;

// Tracking numbers of carriers: ours, made from a serial number, and the judgement of any, by form and check digit.

type TrackingFormat = RecordOf<'carriers'>['tracking_number'];

interface Format {
  /** Any number of this carrier: the characters under the check digit, then the digit. */
  readonly form: RegExp;
  readonly checkDigit: (body: string) => number;
  /** Around a serial number of ours and its check digit; `head` counts for the check digit, the other two do not. */
  readonly before: string;
  readonly head: string;
  readonly after: string;
}

/** A letter counts as UPS counts it: A is 2, H is 9, I is 0. */
const valuesOf = (body: string): number[] =>
  [...body].map((character) => (character < 'A' ? Number(character) : (character.charCodeAt(0) - 63) % 10));
const weighted = (values: readonly number[], weights: readonly number[]): number =>
  values.reduce((sum, value, index) => sum + value * (weights[index % weights.length] ?? 0), 0);
const toNextTen = (sum: number): number => (10 - (sum % 10)) % 10;

/** UPS, «modified MOD 10»: answers.google.com/answers/threadview/id/207899.html. */
const upsCheckDigit = (body: string): number => toNextTen(weighted(valuesOf(body), [1, 2]));

/** USPS Publication 199, «MOD 10 check digit»: 3, 1 from the right, which with 21 digits is from the left as well. */
const uspsCheckDigit = (body: string): number => toNextTen(weighted(valuesOf(body), [3, 1]));

/** UPU Technical Standard S10: 11 less the remainder, where 10 is written 0 and 11 is written 5. */
function s10CheckDigit(body: string): number {
  const remainder = weighted(valuesOf(body), [8, 6, 4, 2, 3, 5, 9, 7]) % 11;
  return remainder === 0 ? 5 : (11 - remainder) % 10;
}

/** FedEx Express, of the same answer: 1, 3, 7 from the right; a remainder of 10 is written 0. */
const fedexCheckDigit = (body: string): number => (weighted(valuesOf(body), [3, 1, 7]) % 11) % 10;

/** DHL Express, «mod7»: github.com/jkeen/tracking_number_data, couriers/dhl.json; we found no document of DHL. */
const dhlCheckDigit = (body: string): number => Number(body) % 7;

const formats: Readonly<Record<TrackingFormat, Format>> = {
  // A10E83 is the shipper, 03 the service UPS Ground.
  ups_1z: { form: /^1Z([0-9A-Z]{15})(\d)$/, checkDigit: upsCheckDigit, before: '1Z', head: 'A10E8303', after: '' },
  // 94 says who made the barcode, 001 is the service, 903174562 the mailer.
  usps_22: {
    form: /^(9[1-5]\d{19})(\d)$/,
    checkDigit: uspsCheckDigit,
    before: '',
    head: '94001903174562',
    after: '',
  },
  upu_s10: { form: /^[A-Z]{2}(\d{8})(\d)[A-Z]{2}$/, checkDigit: s10CheckDigit, before: 'LZ', head: '', after: 'US' },
  fedex_12: { form: /^(\d{11})(\d)$/, checkDigit: fedexCheckDigit, before: '', head: '79', after: '' },
  dhl_10: { form: /^(\d{9})(\d)$/, checkDigit: dhlCheckDigit, before: '', head: '4', after: '' },
};

/** How many serial numbers a format has: those from 0 up to this. */
export const serialsOf: Readonly<Record<TrackingFormat, number>> = {
  ups_1z: 10 ** 7,
  usps_22: 10 ** 7,
  upu_s10: 10 ** 8,
  fedex_12: 10 ** 9,
  dhl_10: 10 ** 8,
};

/** The number of ours with this serial number. */
export function trackingNumber(format: TrackingFormat, serial: number): string {
  const serials = serialsOf[format];
  if (!Number.isInteger(serial) || serial < 0 || serial >= serials) {
    throw new RangeError(`${format} has no serial number ${serial}`);
  }
  const { before, head, after, checkDigit } = formats[format];
  const body = head + String(serial).padStart(String(serials - 1).length, '0');
  return `${before}${body}${checkDigit(body)}${after}`;
}

/** Whether this is a number of the format, of any shipper, service or country. */
export function isTrackingNumber(format: TrackingFormat, text: string): boolean {
  const { form, checkDigit } = formats[format];
  const [, body, digit] = form.exec(text) ?? [];
  return body !== undefined && checkDigit(body) === Number(digit);
}
