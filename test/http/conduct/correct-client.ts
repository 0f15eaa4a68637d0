// A client that follows the advice of the conduct report, in a sandbox whose time is virtual.
import { controlClient } from '../../../src/client/control-client.ts';
import type { Choices } from '../../../src/contract/assumptions.ts';
import { type CursorPlace, cursorIn } from '../../support/pages.ts';
import { type Answer, fixtures, noon, origin, passwordOf, scenarios, send, testEngine } from '../../support/sachet.ts';

/** One call; undefined if the connection broke. */
type Send = (
  method: string,
  path: string,
  sent?: { readonly token?: string; readonly body?: unknown },
) => Promise<Answer | undefined>;

interface ClientOptions {
  readonly send: Send;
  readonly time: VirtualTime;
  readonly login: { readonly username: string; readonly password: string };
  readonly place: CursorPlace;
}

interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly isRenewed: boolean;
  /** Whether a call was accepted with it. */
  isTried: boolean;
}

/** An order, identified by the name of its consumer, and its correction if it is rejected. */
export interface Wanted {
  readonly name: string;
  body: object;
  corrected?: object | undefined;
  /** Whether it may be stored. */
  isUnsure?: boolean;
}

/** A list that is read, and how far. */
export interface List {
  readonly path: string;
  cursor?: string | null | undefined;
}

/** The service rejects the login: the client gives up what it was doing. */
export class NoEntry extends Error {}

export class CorrectClient {
  readonly #options: ClientOptions;
  #tokens: Promise<Tokens> | undefined;
  /** The operations that are rate-limited, until they may be called again. */
  readonly #held = new Map<string, Promise<void>>();
  readonly #reads = new Map<string, Promise<Answer>>();

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Repeats a call after longer and longer pauses while it gets a 500 or no response. */
  async #retried(attempt: () => Promise<Answer | undefined>): Promise<Answer> {
    for (let pause = 1000; ; pause *= 2) {
      const answer = await attempt();
      if (answer && answer.status !== 500) return answer;
      await this.#options.time.sleep(pause);
    }
  }

  /** Repeats a read until it is answered for good. Concurrent reads of the same path share the response. */
  call(method: string, path: string): Promise<Answer> {
    const key = `${method} ${path}`;
    const read = this.#reads.get(key) ?? this.#retried(() => this.#answered(method, path));
    this.#reads.set(key, read);
    const end = () => this.#reads.delete(key);
    read.then(end, end);
    return read;
  }

  /** Places an order once, whatever happens to the responses. */
  async order(order: Wanted): Promise<void> {
    for (let pause = 1000; ; ) {
      if (order.isUnsure && (await this.#isStored(order.name)) !== false) return;
      const answer = await this.#answered('POST', '/v2/orders', order.body);
      order.isUnsure = !answer || answer.status === 500;
      if (order.isUnsure) {
        await this.#options.time.sleep(pause);
        pause *= 2;
      } else if (!answer || answer.status < 400 || !order.corrected) return;
      else Object.assign(order, { body: order.corrected, corrected: undefined });
    }
  }

  /** Reads a list to its end. */
  async read(list: List): Promise<void> {
    do {
      const cursor = list.cursor ? `&cursor=${list.cursor}` : '';
      const answer = await this.call('GET', list.path + cursor);
      if (answer.status !== 200) return;
      list.cursor = cursorIn[this.#options.place](answer);
    } while (list.cursor);
  }

  /** Downloads a label. */
  async label(fulfillmentId: string): Promise<void> {
    for (;;) {
      const { status, body } = await this.call('GET', `/v2/fulfillments/${fulfillmentId}`);
      if (status !== 200) return;
      const download = await this.#retried(() => this.#options.send('GET', body.fulfillment.label_url));
      if (download.status < 400) return;
    }
  }

  /** Whether the order is stored; undefined if the list is not available. */
  async #isStored(name: string): Promise<boolean | undefined> {
    let cursor: string | null | undefined = '';
    do {
      const answer = await this.call('GET', `/v2/orders?limit=50${cursor && `&cursor=${cursor}`}`);
      if (answer.status !== 200) return undefined;
      const { orders } = answer.body as { orders: { consumer: { first_name?: string } }[] };
      if (orders.some(({ consumer }) => consumer.first_name === name)) return true;
      cursor = cursorIn[this.#options.place](answer);
    } while (cursor);
    return false;
  }

  /** A response that is neither 401 nor 429; undefined if it was lost. */
  async #answered(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    const name = nameOf(method, path);
    for (;;) {
      const { given, tokens } = await this.#ready(name);
      const answer = await this.#options.send(method, path, { token: tokens.access, body });
      if (answer?.status === 401) {
        // Concurrent calls wait for one refresh.
        if (this.#tokens === given) this.#tokens = this.#refreshed(tokens);
        await this.#tokens;
      } else if (answer?.status === 429) this.#hold(name, answer);
      else {
        tokens.isTried ||= answer !== undefined && answer.status !== 500;
        return answer;
      }
    }
  }

  /** The tokens, once the operation may be called. */
  async #ready(name: string): Promise<{ given: Promise<Tokens>; tokens: Tokens }> {
    for (;;) {
      await this.#held.get(name);
      this.#tokens ??= this.#loggedIn();
      const given = this.#tokens;
      const tokens = await given;
      if (given === this.#tokens && !this.#held.has(name)) return { given, tokens };
    }
  }

  async #refreshed({ refresh, isRenewed, isTried }: Tokens): Promise<Tokens> {
    // A new token that is rejected at once would not be the last one.
    if (isRenewed && !isTried) await this.#options.time.sleep(60_000);
    const { status, body } = await this.#asked('/v2/authentication/refresh-token', { refresh_token: refresh });
    if (status !== 200) return this.#loggedIn();
    return { access: body.access_token, refresh, isRenewed: true, isTried: false };
  }

  async #loggedIn(): Promise<Tokens> {
    const { status, body } = await this.#asked('/v2/authentication/token', this.#options.login);
    if (status === 200)
      return { access: body.access_token, refresh: body.refresh_token, isRenewed: false, isTried: false };
    this.#tokens = undefined;
    throw new NoEntry(`the login was answered with ${status}`);
  }

  /** Repeats a call without a token until it is answered for good. */
  #asked(path: string, body: object): Promise<Answer> {
    return this.#retried(async () => {
      for (;;) {
        await this.#held.get(path);
        const answer = await this.#options.send('POST', path, { body });
        if (answer?.status !== 429) return answer;
        this.#hold(path, answer);
      }
    });
  }

  #hold(name: string, { headers }: Answer): void {
    const wait = this.#options.time.sleep(1000 * Number(headers.get('retry-after')));
    const over = Promise.all([wait, this.#held.get(name)]).then(() => {
      if (this.#held.get(name) === over) this.#held.delete(name);
    });
    this.#held.set(name, over);
  }
}

/** The same for all calls of an operation. */
const nameOf = (method: string, path: string): string =>
  `${method === 'HEAD' ? 'GET' : method} ${path.replace(/\?.*/, '').replaceAll(/[\da-f-]{36}/g, '{id}')}`;

/** The time of clients that sleep: once all of them sleep, the sandbox's clock is advanced to the first that wakes. */
class VirtualTime {
  readonly #advance: (milliseconds: number) => Promise<unknown>;
  readonly #sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  #now = 0;
  #inFlight = 0;

  constructor(advance: (milliseconds: number) => Promise<unknown>) {
    this.#advance = advance;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ until: this.#now + milliseconds, wake });
    });
  }

  /** No time passes during this work. */
  awake<T>(work: Promise<T>): Promise<T> {
    this.#inFlight += 1;
    return work.finally(() => {
      this.#inFlight -= 1;
    });
  }

  /** Lets time pass until all of this is done. */
  async until(work: readonly Promise<unknown>[]): Promise<void> {
    let isDone = false;
    const done = Promise.all(work).finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    while (!isDone) {
      for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (isDone || this.#inFlight > 0) continue;
      const [first] = this.#sleepers.sort((one, other) => one.until - other.until).splice(0, 1);
      if (first && first.until > this.#now) await this.#advance(first.until - this.#now);
      this.#now = first?.until ?? this.#now;
      first?.wake();
    }
    await done;
  }
}

/**
 * A stage for clients whose time is virtual. Their responses are not checked against the documents: that would take long, and a client would
 * have a response later than the report assumes.
 */
export function virtualWorld(assumptions: Partial<Choices> = {}) {
  const sachet = testEngine({ fixtures, scenarios, clock: noon, randomSeed: 'test', assumptions });
  const stage = controlClient({ url: origin, adminKey: sachet.adminKey, fetch: sachet.fetch }).sandbox('stage');
  const time = new VirtualTime((milliseconds) => stage.clock.advance({ seconds: milliseconds / 1000 }));
  const answered = async (response: Response): Promise<Answer> => {
    const [text, { status, headers }] = [await response.text(), response];
    return { status, headers, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  };
  const call: Send = (...[method, path, sent]) =>
    time.awake(send(sachet, method, path, sent).then(answered).catch(lost));
  const place = assumptions.next_cursor ?? 'body';
  const client = (username: string) =>
    new CorrectClient({ send: call, time, place, login: { username, password: passwordOf(username) } });
  return { stage, time, client };
}

function lost(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}
