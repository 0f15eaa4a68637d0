// What the calls of a recording have shown so far: tokens, ids, emails. A call is judged with it, then added to it.
import { limits } from '../contract/limits.ts';
import type { OperationId } from '../contract/operations.ts';
import { malformedToken } from '../contract/probes.ts';
import { rules } from '../contract/rules.ts';
import { isRecord } from '../contract/schema.ts';
import { contentsOf, type JsonRecord, recordsIn, textOf, textsIn } from './json-parts.ts';
import { bearerOf, type RecordedCall } from './recorded-call.ts';

/**
 * What the recording shows of the bearer token of a call. `malformed`: that of a probe. `unknown`: a token from before
 * the recording, or a placeholder for one.
 */
export type TokenState = 'missing' | 'malformed' | 'refresh' | 'replaced' | 'expired' | 'valid' | 'unknown';

interface Token {
  readonly use: 'access' | 'refresh';
  readonly username: string;
  /** The refresh token of the login that it comes from. */
  readonly session: string;
  readonly expiresAt: number;
  /** An access token: a later refresh may have ended it. */
  isReplaced: boolean;
  /** The service refused it before. */
  isRefused: boolean;
  /** A refresh token: it gave an access token. */
  isUsed: boolean;
}

/** The parts of a call that the history reads. `body` and `answer` are the JSON of its bodies. */
interface SeenCall {
  readonly call: RecordedCall;
  readonly source: string;
  readonly operation: { readonly id: OperationId };
  readonly body?: unknown;
  readonly answer: unknown;
}

type ProductState = 'active' | 'inactive' | 'foreign';

/** A window of `rate_limit` is shorter than this. */
const recentMilliseconds = 60_000;
/** More calls within `recentMilliseconds` than two windows of `100/60s` allow: the time may lie in two windows. */
export const tooManyCalls = 200;

export class History {
  /** The latest values that answers had, by the names of `Learner.known`. */
  readonly known: Map<string, string> = new Map();
  /** The label URLs without their queries. */
  readonly labels: Set<string> = new Set();
  /** The list of a message about `time_of_administration`. */
  administrationTimes: readonly string[] | undefined;
  /** The most results of a page that had a next page, and fewer results than its request asked for. */
  pageSize: number | undefined;
  /** The sources whose calls have the header Authorization: some recorders leave it out. */
  readonly #sourcesWithTokens = new Set<string>();
  /** The products that each caller saw: whether they are active, or another client's. */
  readonly #products = new Map<string, Map<string, ProductState>>();
  readonly #tokens = new Map<string, Token>();
  /** The ids of consumers, by the user who created them and their email. */
  readonly #emails = new Map<string, Set<string>>();
  /** The operations that a token had a success with. */
  readonly #granted = new Set<string>();
  readonly #recent = new Map<string, number[]>();

  tokenState(call: RecordedCall, source: string): TokenState {
    const token = this.#tokenOf(call);
    if (token?.use === 'refresh') return 'refresh';
    if (token && call.at >= token.expiresAt) return 'expired';
    if (token?.isRefused) return 'unknown';
    if (token) return token.isReplaced ? 'replaced' : 'valid';
    const bearer = bearerOf(call);
    // Recorders write placeholders of their own for tokens.
    if (bearer !== undefined) return bearer === malformedToken ? 'malformed' : 'unknown';
    return call.requestHeaders.has('authorization') || this.#sourcesWithTokens.has(source) ? 'missing' : 'unknown';
  }

  #tokenOf(call: RecordedCall): Token | undefined {
    return this.#tokens.get(bearerOf(call) ?? '');
  }

  /** Whether the refresh token of the request gave an access token before, in the day before the call. */
  isReused({ call, body }: SeenCall): boolean {
    const token = this.#tokens.get(textOf(body, 'refresh_token') ?? '');
    return token?.use === 'refresh' && token.isUsed && call.at < token.expiresAt;
  }

  /** The user of the call; the token itself if it is from before the recording, undefined without one. */
  #callerOf(call: RecordedCall): string | undefined {
    return this.#tokenOf(call)?.username ?? bearerOf(call);
  }

  /** Whether an order said that the product is another client's. */
  isForeign(call: RecordedCall, id: string): boolean {
    return this.#productsOf(call).get(id) === 'foreign';
  }

  /** Whether the token had a success with the operation: its user has the permission. */
  isGranted({ call, operation }: SeenCall): boolean {
    return bearerOf(call) !== undefined && this.#granted.has(`${operation.id} ${bearerOf(call)}`);
  }

  /** The products that the caller knows to be inactive. */
  inactiveProducts(call: RecordedCall): string[] {
    return [...this.#productsOf(call)].flatMap(([id, state]) => (state === 'inactive' ? [id] : []));
  }

  /** Whether the consumer of the call had its email before; undefined if no consumer had it. */
  isKnownConsumer(seen: SeenCall): boolean | undefined {
    const consumer = this.#consumerOf(seen);
    return consumer && this.#emails.get(consumer.key)?.has(consumer.id);
  }

  /** The consumer that a request created: its id is in the answer, its email in the request. */
  #consumerOf({ call, operation, body, answer }: SeenCall): { readonly key: string; readonly id: string } | undefined {
    const isOrder = operation.id === 'orders.create';
    if (!isOrder && operation.id !== 'consumers.create') return undefined;
    const [record] = recordsIn(answer);
    const id = textOf(record?.consumer ?? record, 'id');
    const email = textOf(isOrder && isRecord(body) ? body.consumer : body, 'email');
    const caller = this.#callerOf(call);
    if (id === undefined || email === undefined || caller === undefined) return undefined;
    return { key: `${caller} ${email}`, id };
  }

  #productsOf(call: RecordedCall): Map<string, ProductState> {
    const caller = this.#callerOf(call);
    const products = this.#products.get(caller ?? '') ?? new Map();
    if (caller !== undefined) this.#products.set(caller, products);
    return products;
  }

  /** The calls with the token of this call in the last 60 seconds, at most one more than `tooManyCalls`. */
  recentCalls(call: RecordedCall): number {
    return this.#recent.get(bearerOf(call) ?? '')?.length ?? 0;
  }

  /** Adds what a call is judged by, too. */
  arrive({ call, source, answer }: SeenCall): void {
    for (const text of textsIn(answer)) this.#readTimes(text);
    const token = bearerOf(call);
    if (token === undefined) return;
    this.#sourcesWithTokens.add(source);
    const recent = this.#recent.get(token) ?? [];
    if (call.status !== 429) recent.push(call.at);
    while ((recent[0] ?? call.at) <= call.at - recentMilliseconds || recent.length > tooManyCalls + 1) recent.shift();
    this.#recent.set(token, recent);
  }

  #readTimes(text: string): void {
    const [, list] = /"time_of_administration" must be one of \[(.*?)\](?=$|\. ")/s.exec(text) ?? [];
    const times = list?.split(', ') ?? [];
    const areValid = times.every((time) => time !== '' && time.length <= limits.administrationTimeCharacters);
    if (list !== undefined && areValid && times.length <= limits.administrationTimes) this.administrationTimes = times;
  }

  /** Adds what a call showed. */
  add(seen: SeenCall): void {
    const { call, operation } = seen;
    const token = this.#tokenOf(call);
    if (call.status === 401 && token) token.isRefused = true;
    if (call.status >= 300) this.#addRefusal(seen);
    else if (operation.id === 'authentication.token') this.#addLogin(seen);
    else if (operation.id === 'authentication.refresh') this.#addRefresh(seen);
    else this.#addSuccess(seen);
  }

  #addSuccess(seen: SeenCall): void {
    const { call, operation, answer } = seen;
    this.#granted.add(`${operation.id} ${bearerOf(call)}`);
    for (const record of recordsIn(answer)) this.#addRecord(call, operation.id, record);
    const consumer = this.#consumerOf(seen);
    if (!consumer) return;
    this.known.set('consumer', consumer.id);
    this.#emails.set(consumer.key, (this.#emails.get(consumer.key) ?? new Set()).add(consumer.id));
  }

  #addRefusal({ call, operation, body }: SeenCall): void {
    if (operation.id !== 'orders.create') return;
    const ids = contentsOf(body).flatMap(([, content]) => textOf(content, 'client_product_id') ?? []);
    const [product, ...others] = new Set(ids);
    if (product === undefined || others.length > 0) return;
    const says = (text: string) => call.responseBody?.includes(text);
    if (says(rules['ORD-18'].message)) this.#addProduct(call, product, 'foreign');
    if (says(rules['ORD-19'].message({ names: [] }))) this.#addProduct(call, product, 'inactive');
  }

  #addLogin({ call, body, answer }: SeenCall): void {
    const [access, refresh] = [textOf(answer, 'access_token'), textOf(answer, 'refresh_token')];
    if (access === undefined || refresh === undefined) return;
    const username = textOf(body, 'username') ?? refresh;
    const login = { username, session: refresh, isReplaced: false, isRefused: false, isUsed: false };
    // After a day the choice `24h` may refuse it.
    this.#tokens.set(refresh, { ...login, use: 'refresh', expiresAt: call.at + 86_399_000 });
    this.#tokens.set(access, { ...login, use: 'access', expiresAt: expiryOf(call, answer) });
    this.known.set('access_token', access).set('refresh_token', refresh);
  }

  #addRefresh({ call, body, answer }: SeenCall): void {
    const [access, refresh] = [textOf(answer, 'access_token'), textOf(body, 'refresh_token') ?? ''];
    const login = this.#tokens.get(refresh);
    if (access === undefined || !login) return;
    login.isUsed = true;
    for (const token of this.#tokens.values())
      if (token.use === 'access' && token.session === refresh) token.isReplaced = true;
    const fresh = { use: 'access', expiresAt: expiryOf(call, answer), isReplaced: false, isRefused: false } as const;
    this.#tokens.set(access, { ...login, ...fresh });
    this.known.set('replaced_token', this.known.get('access_token') ?? '').set('access_token', access);
  }

  #addRecord(call: RecordedCall, operation: OperationId, record: JsonRecord): void {
    const id = String(record.id);
    if (typeof record.active === 'boolean') this.#addProduct(call, id, record.active ? 'active' : 'inactive');
    if (operation.startsWith('orders.') && record.consumer) this.known.set('order', id);
    const label = textOf(record, 'label_url');
    if (label === undefined) return;
    this.labels.add(label.replace(/\?.*/s, ''));
    this.known.set('label_url', label).set('fulfillment', id);
    for (const name of ['order', 'consumer']) {
      const other = textOf(record, `${name}_id`);
      if (other !== undefined && !this.known.has(name)) this.known.set(name, other);
    }
  }

  #addProduct(call: RecordedCall, id: string, state: ProductState): void {
    this.#productsOf(call).set(id, state);
    this.known.set(state === 'active' ? 'product' : `${state}_product`, id);
  }
}

function expiryOf({ at }: RecordedCall, answer: unknown): number {
  const seconds = isRecord(answer) ? Number(answer.expires_in) : Number.NaN;
  return Number.isFinite(seconds) ? at + seconds * 1000 : Number.POSITIVE_INFINITY;
}
