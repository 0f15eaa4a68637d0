// A client as the advice of the conduct report has it, written down plainly. Each of its habits can be taken from it.
import { type CursorPlace, cursorIn } from '../pages.ts';
import type { Answer } from '../sachet.ts';
import type { VirtualTime } from './virtual-time.ts';

/** One call; undefined where the connection broke. */
export type Send = (
  method: string,
  path: string,
  sent?: { readonly token?: string; readonly body?: unknown },
) => Promise<Answer | undefined>;

/** What a correct client does. */
const rightHabits = {
  keepsItsToken: true,
  refreshes: true,
  sharesTheRefresh: true,
  repeatsWhatWasRefused: true,
  dropsDeadTokens: true,
  waitsAsLongAsItIsTold: true,
  pauses: true,
  pausesLongerEachTime: true,
  followsCursors: true,
  takesCursorsAsTheyAre: true,
  asksForFreshLabels: true,
  looksBeforeItOrdersAgain: true,
  takesNeedsChangesAsPlaced: true,
  mendsWhatWasRefused: true,
  sendsWhatIsDocumented: true,
};
export type Habits = typeof rightHabits;

/** Who it is, and where it lives. */
export interface Life {
  readonly send: Send;
  readonly time: VirtualTime;
  readonly login: { readonly username: string; readonly password: string };
  readonly place: CursorPlace;
  readonly habits?: Partial<Habits>;
}

interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly isRenewed: boolean;
  /** Whether a call was let in with it. */
  isTried: boolean;
}

/** An order, known by the name of its consumer, and how it is mended if it is refused. */
export interface Wanted {
  readonly name: string;
  body: object;
  mended?: object | undefined;
  /** Whether it may be stored. */
  isUnsure?: boolean;
}

/** A list that is read, and how far. */
export interface Choice {
  readonly path: string;
  cursor?: string | null | undefined;
}

/** The service lets nobody in: whoever wanted something gives up. */
export class NoEntry extends Error {}

const firstPause = 1000;
const minute = 60_000;

export class CorrectClient {
  readonly #life: Life;
  readonly #habits: Habits;
  #tokens: Promise<Tokens> | undefined;
  /** The operations that met the rate limit, until it is over. */
  readonly #held = new Map<string, Promise<void>>();
  /** Kept by a client that is wrong. */
  readonly #labels = new Map<string, string>();
  readonly #asking = new Map<string, Promise<Answer>>();

  constructor(life: Life) {
    this.#life = life;
    this.#habits = { ...rightHabits, ...life.habits };
  }

  /** A call that asks only, until it is answered for good. Whoever wants the same meanwhile shares the answer. */
  call(method: string, path: string): Promise<Answer> {
    const key = `${method} ${path}`;
    const asked = this.#asking.get(key) ?? this.#untilAnswered(method, path);
    this.#asking.set(key, asked);
    const end = () => this.#asking.delete(key);
    asked.then(end, end);
    return asked;
  }

  async #untilAnswered(method: string, path: string): Promise<Answer> {
    let pause = firstPause;
    for (;;) {
      const answer = await this.#answered(method, path);
      if (answer && answer.status !== 500) return answer;
      pause = await this.#paused(pause);
    }
  }

  /** Places an order once, whatever becomes of the answers. */
  async order(order: Wanted): Promise<void> {
    for (let pause = firstPause; ; ) {
      if (order.isUnsure && (await this.#mayBeStored(order))) return;
      const answer = await this.#answered('POST', '/v2/orders', this.#documented(order.body));
      order.isUnsure = !answer || answer.status === 500;
      if (order.isUnsure) pause = await this.#paused(pause);
      else if (!answer || answer.status < 400 || !order.mended) return this.#placed(answer, order.body);
      else this.#mend(order);
    }
  }

  /** Reads a list to its end. */
  async read(list: Choice): Promise<void> {
    do {
      const cursor = list.cursor ? `&cursor=${list.cursor}` : '';
      const answer = await this.call('GET', list.path + cursor);
      if (answer.status !== 200) return;
      list.cursor = cursorIn[this.#life.place](answer);
      if (list.cursor && !this.#habits.takesCursorsAsTheyAre) list.cursor = '2';
    } while (list.cursor && this.#habits.followsCursors);
  }

  /** Downloads a label. */
  async label(fulfillmentId: string): Promise<void> {
    let url = this.#labels.get(fulfillmentId) ?? (await this.#labelUrl(fulfillmentId));
    for (let pause = firstPause; url !== undefined; ) {
      const answer = await this.#life.send('GET', url);
      if (answer && answer.status < 400) return;
      if (!answer || answer.status === 500) pause = await this.#paused(pause);
      else if (this.#habits.asksForFreshLabels) url = await this.#labelUrl(fulfillmentId);
      else return void (await this.#life.send('GET', url));
    }
  }

  async #labelUrl(fulfillmentId: string): Promise<string | undefined> {
    const { status, body } = await this.call('GET', `/v2/fulfillments/${fulfillmentId}`);
    const url: string | undefined = status === 200 ? body.fulfillment.label_url : undefined;
    if (url && !this.#habits.asksForFreshLabels) this.#labels.set(fulfillmentId, url);
    return url;
  }

  async #placed(answer: Answer | undefined, order: object): Promise<void> {
    if (answer?.body.order?.status === 'Needs Changes' && !this.#habits.takesNeedsChangesAsPlaced)
      await this.#answered('POST', '/v2/orders', order);
  }

  #mend(order: Wanted): void {
    if (order.mended && this.#habits.mendsWhatWasRefused) order.body = order.mended;
    order.mended = undefined;
  }

  async #mayBeStored({ name }: Wanted): Promise<boolean> {
    return this.#habits.looksBeforeItOrdersAgain && (await this.#isStored(name)) !== false;
  }

  /** Whether the order is among those that are stored; undefined where nobody tells. */
  async #isStored(name: string): Promise<boolean | undefined> {
    let cursor: string | null | undefined = '';
    do {
      const answer = await this.call('GET', `/v2/orders?limit=50${cursor && `&cursor=${cursor}`}`);
      if (answer.status !== 200) return undefined;
      const { orders } = answer.body as { orders: { consumer: { first_name?: string } }[] };
      if (orders.some(({ consumer }) => consumer.first_name === name)) return true;
      cursor = cursorIn[this.#life.place](answer);
    } while (cursor);
    return false;
  }

  #documented(order: object): object {
    return this.#habits.sendsWhatIsDocumented ? order : { ...order, gift: true };
  }

  /** An answer that is neither 401 nor 429; undefined where it was lost. */
  async #answered(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    const name = nameOf(method, path);
    for (;;) {
      const { given, tokens } = await this.#ready(name);
      const answer = await this.#life.send(method, path, { token: tokens.access, body });
      if (answer?.status === 401) {
        await this.#refused(given, tokens, () => this.#life.send(method, path, { token: tokens.access, body }));
        if (!this.#habits.repeatsWhatWasRefused) return answer;
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
      if (!this.#habits.keepsItsToken) this.#tokens = this.#loggedIn();
      this.#tokens ??= this.#loggedIn();
      const given = this.#tokens;
      const tokens = await given;
      if (given === this.#tokens && !this.#held.has(name)) return { given, tokens };
    }
  }

  /** Calls side by side wait for one refresh. */
  async #refused(given: Promise<Tokens>, tokens: Tokens, again: () => Promise<unknown>): Promise<void> {
    const { dropsDeadTokens, sharesTheRefresh, refreshes } = this.#habits;
    if (!dropsDeadTokens) await this.#life.time.sleep(firstPause).then(again);
    if (this.#tokens !== given && sharesTheRefresh) return;
    this.#tokens = refreshes ? this.#refreshed(tokens) : this.#loggedIn();
    await this.#tokens;
  }

  async #refreshed({ refresh, isRenewed, isTried }: Tokens): Promise<Tokens> {
    // A fresh token that is refused at once would not be the last one.
    if (isRenewed && !isTried) await this.#life.time.sleep(minute);
    const { status, body } = await this.#asked('/v2/authentication/refresh-token', { refresh_token: refresh });
    if (status !== 200) return this.#loggedIn();
    return { access: body.access_token, refresh, isRenewed: true, isTried: false };
  }

  async #loggedIn(): Promise<Tokens> {
    const { status, body } = await this.#asked('/v2/authentication/token', this.#life.login);
    if (status === 200)
      return { access: body.access_token, refresh: body.refresh_token, isRenewed: false, isTried: false };
    this.#tokens = undefined;
    throw new NoEntry(`the login was answered with ${status}`);
  }

  /** A call without a token until it is answered for good. */
  async #asked(path: string, body: object): Promise<Answer> {
    for (let pause = firstPause; ; ) {
      await this.#held.get(path);
      const answer = await this.#life.send('POST', path, { body });
      if (answer?.status === 429) this.#hold(path, answer);
      else if (answer && answer.status !== 500) return answer;
      else pause = await this.#paused(pause);
    }
  }

  /** Gives the pause for the next time. */
  async #paused(pause: number): Promise<number> {
    if (this.#habits.pauses) await this.#life.time.sleep(pause);
    return this.#habits.pausesLongerEachTime ? 2 * pause : pause;
  }

  #hold(name: string, { headers }: Answer): void {
    if (!this.#habits.waitsAsLongAsItIsTold) return;
    const wait = this.#life.time.sleep(1000 * Number(headers.get('retry-after')));
    const over = Promise.all([wait, this.#held.get(name)]).then(() => {
      if (this.#held.get(name) === over) this.#held.delete(name);
    });
    this.#held.set(name, over);
  }
}

/** Such calls are those of one operation. */
const nameOf = (method: string, path: string): string =>
  `${method === 'HEAD' ? 'GET' : method} ${path.replace(/\?.*/, '').replaceAll(/[\da-f-]{36}/g, '{id}')}`;
