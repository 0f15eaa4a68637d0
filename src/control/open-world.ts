// Opens a state as the world that the domain's rules see.
import type { LeverKind, LeverOf } from '../contract/admin/lever.ts';
import { limits } from '../contract/limits.ts';
import type { SingleName, SingleOf } from '../contract/records.ts';
import { Terms } from '../contract/terms.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Bent, Caller, Identity, Table, TableName, World } from '../domain/world.ts';
import type { State } from '../state/state.ts';
import type { Generations } from '../state/values.ts';
import { dueAt, isAutomatic } from './due.ts';
import { drawFraction, drawUuid } from './ids.ts';
import { matches, type RequestFacts } from './match.ts';

// What the switches bend inside a call: lifetimes, what counts as expired, which PAGs count as inactive.

type Asked = LeverKind & ('token_expiry' | 'label_expiry' | 'inactive_pags');

/** The switches that bend what is asked for. */
interface Switches {
  readonly tokens?: LeverOf<'token_expiry'> | undefined;
  readonly labels?: LeverOf<'label_expiry'> | undefined;
  readonly pags?: LeverOf<'inactive_pags'> | undefined;
}

const none: Switches = {};

/** Who meets the switches. */
interface Meeting {
  /** The call, where switches may be meant for some calls only. */
  readonly facts?: RequestFacts | undefined;
  /** Told the name of each switch that bends what is asked. */
  noteBent?(name: Asked): void;
}

/** What is bent for a call. */
export function bentFor(state: State, meeting: Meeting): Bent {
  const isOff = state.table('levers').size === 0;
  return new BentBySwitches(state.value('expired'), isOff ? none : switchesIn(state, meeting.facts), meeting);
}

const switchesIn = (state: State, call: RequestFacts | undefined): Switches => ({
  tokens: inForce(state, 'token_expiry', call),
  labels: inForce(state, 'label_expiry', call),
  pags: inForce(state, 'inactive_pags', call),
});

class BentBySwitches implements Bent {
  readonly #expired: Generations;
  readonly #switches: Switches;
  readonly #meeting: Meeting;

  constructor(expired: Generations, switches: Switches, meeting: Meeting) {
    this.#expired = expired;
    this.#switches = switches;
    this.#meeting = meeting;
  }

  accessTokenSeconds(): number {
    return this.#seconds('token_expiry', this.#switches.tokens?.settings.lifetime_seconds, limits.accessTokenSeconds);
  }

  labelSeconds(): number {
    return this.#seconds('label_expiry', this.#switches.labels?.settings.lifetime_seconds, limits.labelSeconds);
  }

  isExpired(what: 'tokens' | 'labels', generation: number): boolean {
    const before = Math.max(this.#expired[what], this.#switches[what]?.generation ?? 0);
    return this.#noted(what === 'tokens' ? 'token_expiry' : 'label_expiry', generation < before);
  }

  isInactivePag(id: string): boolean {
    const settings = this.#switches.pags?.settings;
    return this.#noted('inactive_pags', settings?.all === true || settings?.ids?.includes(id) === true);
  }

  #seconds(name: Asked, bent: number | undefined, plain: number): number {
    return bent !== undefined && this.#noted(name, true) ? bent : plain;
  }

  #noted(name: Asked, bends: boolean): boolean {
    if (bends) this.#meeting.noteBent?.(name);
    return bends;
  }
}

function inForce<Kind extends Asked>(
  state: State,
  kind: Kind,
  call: RequestFacts | undefined,
): LeverOf<Kind> | undefined {
  const lever = state.table('levers').firstOf('turn', kind);
  if (!lever) return undefined;
  const { match } = lever.settings;
  return !match || (call && matches(match, call)) ? (lever as unknown as LeverOf<Kind>) : undefined;
}

// Fresh ids of a sandbox: by its seed, one after the other, none that a record of its kind has.

/** The next id of a purpose. A record that was given the id that would be drawn keeps it; the one after is drawn then. */
export function newId(state: State, hashes: Hashes, purpose: TableName | 'order_lines' | 'tokens'): string {
  const { seed } = state.value('identity');
  for (;;) {
    const id = drawUuid(hashes, seed, purpose, state.count(`ids of ${purpose}`));
    if (purpose === 'order_lines' || purpose === 'tokens' || !state.table(purpose).get(id)) return id;
  }
}

/** What a visitor brings to the world, besides the sandbox's state. */
export interface Visitor {
  readonly baseUrl: string;
  readonly hashes: Hashes;
  readonly caller?: Caller | undefined;
  /** The call, where switches may be meant for some calls only. */
  readonly facts?: RequestFacts | undefined;
  /** Told the name of each switch that bends what the visitor sees. */
  noteBent?(name: string): void;
}

export class OpenWorld implements World {
  readonly now: number;
  readonly terms: Terms;
  readonly identity: Identity;
  readonly #state: State;
  readonly #visitor: Visitor;
  #bent: Bent | undefined;
  #isTimelineNoted = false;

  /** @param now the sandbox's time */
  constructor(state: State, visitor: Visitor, now: number, terms: Terms) {
    this.now = now;
    this.terms = terms;
    this.identity = state.value('identity');
    this.#state = state;
    this.#visitor = visitor;
  }

  get baseUrl(): string {
    return this.#visitor.baseUrl;
  }

  get hashes(): Hashes {
    return this.#visitor.hashes;
  }

  get generations(): World['generations'] {
    return this.#state.value('generations');
  }

  get bent(): Bent {
    this.#bent ??= bentFor(this.#state, this.#visitor);
    return this.#bent;
  }

  get caller(): Caller {
    if (!this.#visitor.caller) throw new Error('this endpoint has no caller');
    return this.#visitor.caller;
  }

  table<Name extends TableName>(name: Name): Table<Name> {
    if (!this.#isTimelineNoted && (name === 'orders' || name === 'fulfillments')) this.#noteTimeline();
    return this.#state.table(name);
  }

  /** The timeline shapes what is seen of orders where it moves them, and where it would have moved them by now. */
  #noteTimeline(): void {
    this.#isTimelineNoted = true;
    if (isAutomatic(this.terms.readings) || dueAt(this.#state, this.now)) this.terms.get('fulfillment_timeline');
  }

  single<Name extends SingleName>(name: Name): SingleOf<Name> {
    return this.#state.value(name) as SingleOf<Name>;
  }

  newId(purpose: TableName | 'order_lines' | 'tokens'): string {
    return newId(this.#state, this.hashes, purpose);
  }

  draw(purpose: string, n: number): number {
    return drawFraction(this.hashes, this.identity.seed, purpose, n);
  }

  count(purpose: string): number {
    return this.#state.count(purpose);
  }
}

// The world as the operator sees it: no caller, no call.

/** What is written with: the sandbox's time in milliseconds, or that of the step that is taken, and what ids are drawn by. */
export interface Writing {
  readonly now: number;
  readonly hashes: Hashes;
}

/** @param baseUrl of the sandbox; needed where URLs are made */
export function backstage(state: State, { now, hashes }: Writing, baseUrl = ''): World {
  const terms = new Terms(state.value('readings'), state.value('administration_times').values);
  return new OpenWorld(state, { baseUrl, hashes }, now, terms);
}
