// The tracking page of a package, which the sandbox serves in place of the carrier: HTML without scripts, public like
// the carriers' own. So it has the city of the addressee, and neither name nor street.
import { html } from 'hono/html';
import { Refusal } from '../contract/refusal.ts';
import { statusName, type Tracked, trackedPackage } from '../domain/tracking.ts';
import { timestamp, type World } from '../domain/world.ts';
import { type Markup, type Page, timeElement } from './markup.ts';
import { failedPage, noSuchSandboxPage, notFoundPage, plainPage } from './plain-page.ts';
import type { ExtraRoute } from './request-context.ts';
import type { ServiceResponse } from './response.ts';

export interface TrackedPackage {
  readonly brand: string;
  readonly carrier: string;
  readonly method: string;
  readonly trackingNumber: string;
  /** City and country; undefined if the order is missing. */
  readonly destination: string | undefined;
  /** By name. */
  readonly status: string;
  readonly progress: Progress;
  /** Newest first. */
  readonly events: readonly { readonly at: string; readonly name: string }[];
  /** The sandbox's time. This and all others are ISO 8601. */
  readonly now: string;
  readonly sandbox: string;
  readonly orderNumber: string;
  readonly deliveredAt: string | null;
}

interface Progress {
  /** By name, in order. */
  readonly steps: readonly string[];
  /** The index of the last step that the package has reached. */
  readonly reached: number;
  /** True if the package is delayed, lost or returned. */
  readonly hasProblem: boolean;
}

function progressBar({ steps, reached, hasProblem }: Progress): Markup {
  const items = steps.map((name, step) => {
    const current = step === reached ? html` aria-current="step"` : '';
    return html`<li${step <= reached ? html` class="done"` : ''}${current}>${name}</li>\n`;
  });
  return html`<ol class="steps${hasProblem ? ' problem' : ''}" role="list" aria-label="Progress">\n${items}</ol>`;
}

export function trackingPage(tracked: TrackedPackage): Page {
  const { brand, carrier, method, trackingNumber, destination, status, events, now, sandbox, orderNumber } = tracked;
  const history = events.map(({ at, name }) => html`<li>${name} ${timeElement(at)}</li>\n`);
  const facts: (readonly [name: string, value: string | Markup])[] = [
    ['Carrier', carrier],
    ['Service', method],
    ['Order', orderNumber],
  ];
  if (destination !== undefined) facts.push(['Destination', destination]);
  if (tracked.deliveredAt !== null) facts.push(['Delivered', timeElement(tracked.deliveredAt)]);
  const main = html`${progressBar(tracked.progress)}
<dl>
<div class="wide"><dt>Tracking number</dt><dd class="number">${trackingNumber}</dd></div>
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
<h2>History</h2>
${history.length > 0 ? html`<ol reversed role="list" class="history">\n${history}</ol>` : html`<p>Nothing has been reported yet.</p>`}`;
  const footer = html`<p>The sandbox made this page: no carrier has this package.
Times are those of the clock of the sandbox “${sandbox}”, which shows ${timeElement(now)}.</p>`;
  return plainPage({
    status: 200,
    title: `${status} – ${carrier} ${trackingNumber}`,
    heading: status,
    brand,
    main,
    footer,
  });
}

export const noSuchPackagePage = (number: string): Page =>
  notFoundPage('Package not found', 'No package of the sandbox has this tracking number:', number);

export const trackingPages: ExtraRoute = {
  name: 'tracking',
  answer: async (request) => {
    const number = request.c.req.param('number') ?? '';
    const page = await request.read((world) => pageForNumber(world, number));
    if (page) return page;
    const problem = `no package has the tracking number ${JSON.stringify(number.slice(0, 80))}`;
    request.refusal = new Refusal('unknown_package', { problem });
    return noSuchPackagePage(number);
  },
  unknownSandbox: ({ sandboxName = '' }) => noSuchSandboxPage(sandboxName),
  failed: () => failedPage('The sandbox could not look up this package. Try again.'),
};

function pageForNumber(world: World, number: string): ServiceResponse | undefined {
  const found = trackedPackage(world, number);
  const tracking = found?.fulfillment.tracking_info;
  if (!(found && tracking)) return undefined;
  const { fulfillment, events } = found;
  const address = world.table('orders').get(fulfillment.order_id)?.shipping_address;
  return trackingPage({
    brand: world.table('brands').get(fulfillment.brand_id)?.name ?? '',
    carrier: tracking.shipping_carrier,
    method: tracking.shipping_method,
    trackingNumber: tracking.tracking_number,
    destination: address && `${address.city}, ${address.country_name}`,
    status: statusName(world, fulfillment.status_id),
    progress: progressOf(world, found),
    events,
    now: timestamp(world),
    sandbox: world.identity.name,
    orderNumber: fulfillment.shipment_order_number,
    deliveredAt: fulfillment.delivery_date,
  });
}

const stepIds = ['label_created', 'picked_up', 'in_transit', 'delivered'];
const problemIds = ['delayed', 'lost', 'returned'];

/** Delayed, Lost and Returned packages stay at the furthest step of their history. */
function progressOf(world: World, { fulfillment: { status_id }, events }: Tracked): Progress {
  const reached = stepIds.includes(status_id) ? [status_id] : events.map((event) => event.status_id);
  return {
    steps: stepIds.map((id) => statusName(world, id)),
    reached: Math.max(...reached.map((id) => stepIds.indexOf(id))),
    hasProblem: problemIds.includes(status_id),
  };
}
