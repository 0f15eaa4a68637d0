// The tracking page of a package, which the sandbox serves in place of the carrier: HTML without scripts, public like
// the carriers' own.
import { html, raw } from 'hono/html';
import { Refusal } from '../contract/refusal.ts';
import { statusName, trackedPackage } from '../domain/tracking.ts';
import { timestamp, type World } from '../domain/world.ts';
import { htmlPage, type Markup, type Page, timeElement } from './markup.ts';
import type { ExtraRoute } from './request-context.ts';
import type { ServiceResponse } from './response.ts';

export interface TrackedPackage {
  readonly carrier: string;
  readonly method: string;
  readonly trackingNumber: string;
  /** By name. */
  readonly status: string;
  /** Newest first. */
  readonly events: readonly { readonly at: string; readonly name: string }[];
  /** The sandbox's time. This and all others are ISO 8601. */
  readonly now: string;
  readonly sandbox: string;
  readonly orderNumber: string;
  readonly deliveredAt: string | null;
}

const style = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
body { max-width: 40rem; margin: 0 auto; padding: 1.5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1.5rem; }
dt, time, footer { opacity: 0.75; }
dd { margin: 0; }
ol { list-style: none; padding: 0; }
li { padding: 0.5rem 0 0.5rem 1rem; border-left: 3px solid; }
li time { display: block; }
footer { margin-top: 3rem; font-size: 0.875rem; }
`;
/** The browser accepts only the style above, by its SHA-256. */
const policy = ["style-src 'sha256-FUVs9xKmYzQKdifdjWDQzGumZmaj9bcj7OvMlBuv9nE='"];

function page(status: number, title: string, heading: string, main: Markup, footer: Markup): Page {
  const head = html`<style>${raw(style)}</style>`;
  const body = html`<main aria-labelledby="heading">
<h1 id="heading">${heading}</h1>
${main}
</main>
<footer>${footer}</footer>`;
  return htmlPage({ status, title, policy, head, body });
}

export function trackingPage(tracked: TrackedPackage): Page {
  const { carrier, method, trackingNumber, status, events, now, sandbox, orderNumber, deliveredAt } = tracked;
  const history = events.map(({ at, name }) => html`<li>${name} ${timeElement(at)}</li>\n`);
  const facts: (readonly [name: string, value: string | Markup])[] = [
    ['Tracking number', trackingNumber],
    ['Carrier', carrier],
    ['Service', method],
    ['Order', orderNumber],
  ];
  if (deliveredAt !== null) facts.push(['Delivered', timeElement(deliveredAt)]);
  const main = html`<dl>
${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>
<h2>History</h2>
${history.length > 0 ? html`<ol reversed role="list">\n${history}</ol>` : html`<p>Nothing has been reported yet.</p>`}`;
  const footer = html`<p>The sandbox made this page: no carrier has this package.
Times are those of the clock of the sandbox “${sandbox}”, which shows ${timeElement(now)}.</p>`;
  return page(200, `${status} – ${carrier} ${trackingNumber}`, status, main, footer);
}

const messagePage = (status: number, heading: string, main: Markup): Page =>
  page(status, heading, heading, main, html`<p>The sandbox made this page: it asks no carrier.</p>`);

export const noSuchPackagePage = (number: string): Page =>
  messagePage(
    404,
    'Package not found',
    html`<p>No package of the sandbox has this tracking number:</p>\n<p>${number}</p>`,
  );

export const noSuchSandboxPage = (name: string): Page =>
  messagePage(404, 'Sandbox not found', html`<p>No sandbox has this name:</p>\n<p>${name}</p>`);

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
  failed: () =>
    messagePage(500, 'Something went wrong', html`<p>The sandbox could not look up this package. Try again.</p>`),
};

function pageForNumber(world: World, number: string): ServiceResponse | undefined {
  const found = trackedPackage(world, number);
  const { fulfillment, events = [] } = found ?? {};
  const tracking = fulfillment?.tracking_info;
  if (!(fulfillment && tracking)) return undefined;
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
