// Probes: the requests whose answers tell the choices of an assumption apart. A request without `writes` reads, or must
// be refused under every choice, so that it changes nothing.
import { namesIn } from './addresses.ts';

/** Texts that start with it are values that no service uses: of a name, a time of administration, a pack id. */
export const probeMark = 'Sachet probe';

/** No JWT, so no token of a service. */
export const malformedToken = 'sachet-probe';

/** One request. Its texts may have `{name}` in the place of a value that earlier answers had or the user gives. */
export interface ProbeCall {
  readonly method: 'GET' | 'POST';
  /** With its query; `{label_url}` is the whole URL. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string;
  /** Default: `valid`. `replaced` is the access token before a refresh. */
  readonly token?: keyof typeof tokenNotes;
  /** What the request has, for people: `duration "30"`. */
  readonly note?: string;
  /** Sent in every run: the answer has a secret that no file keeps, or the request needs one. */
  readonly isFresh?: true;
  /** Sent only if the call before it was refused, because the service might accept it otherwise. */
  readonly isAfterRefusal?: true;
}

/** The requests in their order. Send them until the assumption is settled. */
export interface Probe {
  readonly calls: readonly ProbeCall[];
  /** A choice accepts a request of it, which creates something. */
  readonly writes?: true;
}

/** No request decides between the choices. */
export interface Unobservable {
  readonly unobservable: string;
}

export type ProbeOrReason = Probe | Unobservable;

export const probe = (...calls: readonly ProbeCall[]): Probe => ({ calls });
export const writingProbe = (...calls: readonly ProbeCall[]): Probe => ({ calls, writes: true });
export const unobservable = (reason: string): Unobservable => ({ unobservable: reason });

/** @param path with its query */
export const read = (path: string, more: Pick<ProbeCall, 'token' | 'note' | 'isFresh'> = {}): ProbeCall => ({
  method: 'GET',
  path,
  ...more,
});

/** A call of an endpoint that needs no token. */
export const authentication = (path: string, body: object, more: Pick<ProbeCall, 'note' | 'isFresh'>): ProbeCall => ({
  method: 'POST',
  path: `/v2/authentication/${path}`,
  body,
  token: 'none',
  ...more,
});

const credentials = { username: '{username}', password: '{password}' };
export const login: ProbeCall = authentication('token', credentials, { isFresh: true });
export const refresh: ProbeCall = authentication(
  'refresh-token',
  { refresh_token: '{refresh_token}' },
  { note: 'the refresh token of the login', isFresh: true },
);

/** Before every probe: what their requests need, and what most services settle at once. */
export const openingCalls: readonly ProbeCall[] = [login, read('/v2/products'), read('/v2/fulfillments?limit=1')];

// Orders.

/** A new consumer, whom each choice accepts. */
export const newConsumer = {
  first_name: probeMark,
  last_name: probeMark,
  email: 'sachet-probe@example.com',
  phone_number: '+12025550123',
} as const;

export const shippingAddress = {
  address1: probeMark,
  city: 'Springfield',
  province_name: 'Illinois',
  country_name: 'United States',
  postal_code: '62701',
} as const;

/** Contents of an unknown product. */
export const contents = [{ client_product_id: '{unknown}', serving_size: 1 }] as const;

/** An order line of these pouches, by default of an unknown product. */
export const orderLine = (...pouches: readonly object[]) => ({
  duration: 30,
  pouches: pouches.length > 0 ? pouches : [{ contents }],
});

const unknownProductOrder = { consumer: newConsumer, shipping_address: shippingAddress, order_lines: [orderLine()] };

/** An order that ORD-17 refuses, because no product has its product id, unless the schema refuses its changes first. */
export const refusedOrder = (note: string, changes: object = {}): ProbeCall => ({
  method: 'POST',
  path: '/v2/orders',
  body: { ...unknownProductOrder, ...changes },
  note,
});

/** Two fields are missing, so that a report of all errors shows. */
export const incompleteOrder: ProbeCall = refusedOrder('no shipping_address and no order_lines', {
  shipping_address: undefined,
  order_lines: undefined,
});

/** Refused because the product is another client's, which shows that it exists. Sent only if it cannot be read. */
export const foreignOrder: ProbeCall = {
  ...refusedOrder("another client's product", {
    order_lines: [orderLine({ contents: [{ client_product_id: '{foreign_product}' }] })],
  }),
  isAfterRefusal: true,
};

/** The e-mail address of the consumers that a run creates. */
const ofThisRun = { ...newConsumer, email: '{email}' };

/** An order that the service accepts. Each has the same e-mail address, with these changes of the consumer. */
export const acceptedOrder = (note: string, consumer: object = {}, pouch: object = productPouch): ProbeCall => ({
  method: 'POST',
  path: '/v2/orders',
  body: { ...unknownProductOrder, consumer: { ...ofThisRun, ...consumer }, order_lines: [orderLine(pouch)] },
  note,
});
const productPouch = { contents: [{ client_product_id: '{product}', serving_size: 1 }] };

// For people.

const tokenNotes = {
  valid: '',
  none: ' without a token',
  malformed: ' with a malformed token',
  replaced: ' with the access token before the refresh',
} as const;

/** Values that no answer has: the user gives them. */
const givenNames = ['foreign_product', 'inactive_product'];

/** The request on one line: `POST /v2/orders with duration "30"`. */
export function callInWords({ method, path, note, token = 'valid' }: ProbeCall): string {
  const isLogin = path.startsWith('/v2/authentication/');
  return `${method} ${path}${note ? ` with ${note}` : ''}${isLogin ? '' : tokenNotes[token]}`;
}

/** The requests that would decide, on one line; or why none can. */
export function nextOf(one: ProbeOrReason): string {
  if ('unobservable' in one) return one.unobservable;
  const given = one.calls.flatMap(({ path }) => namesIn(path)).find((name) => givenNames.includes(name));
  const hint = given ? ` (give ${given} with --known)` : one.writes ? ' (creates an order)' : '';
  return [...new Set(one.calls.map(callInWords))].join(', then ') + hint;
}
