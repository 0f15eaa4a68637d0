// The world as the domain sees it: a sandbox's state at one time, for a request or for the operator.
import type { OverrideOf, SettingsOf } from '../contract/control/overrides.ts';
import type { SingleName, SingleOf } from '../contract/records.ts';
import { Assumptions } from '../contract/resolved-assumptions.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Caller, Identity, Table, TableName, World, WorldSwitch } from '../domain/world.ts';
import { matches, type RequestFacts } from '../journal/match.ts';
import type { State } from '../state/state.ts';
import { drawFraction, drawUuid } from './seeded-random.ts';

/** The request that sees the world. The operator has only a base URL. */
export interface WorldRequest {
  /** The absolute base URL of the sandbox; empty if no URLs are made. */
  readonly baseUrl: string;
  readonly caller?: Caller | undefined;
  /** For switches with a `match`. */
  readonly facts?: RequestFacts | undefined;
  /** Called with the name of each switch that changes what the request sees. */
  noteOverride?(name: string): void;
}

/** When something is written, in milliseconds of the sandbox's time, and the hashes that ids are drawn with. */
export interface WriteContext {
  readonly now: number;
  readonly hashes: Hashes;
}

export class SandboxWorld implements World {
  readonly now: number;
  readonly hashes: Hashes;
  readonly assumptions: Assumptions;
  readonly identity: Identity;
  readonly #state: State;
  readonly #request: WorldRequest;
  #isTimelineNoted = false;

  constructor(state: State, { now, hashes }: WriteContext, request: WorldRequest, assumptions: Assumptions) {
    this.now = now;
    this.hashes = hashes;
    this.assumptions = assumptions;
    this.identity = state.initial.identity;
    this.#state = state;
    this.#request = request;
  }

  /** Of all ids and numbers that are drawn. */
  protected get seed(): string {
    return this.identity.seed;
  }

  get baseUrl(): string {
    return this.#request.baseUrl;
  }

  get generations(): World['generations'] {
    return this.#state.value('generations');
  }

  get caller(): Caller {
    if (!this.#request.caller) throw new Error('this endpoint has no caller');
    return this.#request.caller;
  }

  table<Name extends TableName>(name: Name): Table<Name> {
    if (!this.#isTimelineNoted && (name === 'orders' || name === 'fulfillments')) this.#noteTimeline();
    return this.#state.table(name);
  }

  /** Traces the assumption if the timeline is automatic, or would have moved an order by now. */
  #noteTimeline(): void {
    this.#isTimelineNoted = true;
    const { firstDue } = this.#state;
    const isAutomatic = this.assumptions.choices.fulfillment_timeline === 'automatic';
    if (isAutomatic || (firstDue && Date.parse(firstDue.due_at) <= this.now))
      this.assumptions.get('fulfillment_timeline');
  }

  single<Name extends SingleName>(name: Name): SingleOf<Name> {
    return this.#state.value(name) as SingleOf<Name>;
  }

  /** Skips an id that a tester has already used for a record. */
  newId(purpose: TableName | 'order_lines' | 'tokens'): string {
    for (;;) {
      const id = drawUuid(this.hashes, this.seed, purpose, this.count(`ids of ${purpose}`));
      if (purpose === 'order_lines' || purpose === 'tokens' || !this.#state.table(purpose).get(id)) return id;
    }
  }

  draw(purpose: string, n: number): number {
    return drawFraction(this.hashes, this.seed, purpose, n);
  }

  count(purpose: string): number {
    return this.#state.count(purpose);
  }

  override<Name extends WorldSwitch>(
    name: Name,
    applies: (settings: SettingsOf<Name>) => boolean,
  ): SettingsOf<Name> | undefined {
    const settings = this.#switch(name)?.settings;
    if (!settings || !applies(settings)) return undefined;
    this.#request.noteOverride?.(name);
    return settings;
  }

  isExpired(what: 'tokens' | 'labels', generation: number): boolean {
    const name = what === 'tokens' ? 'token_expiry' : 'label_expiry';
    const first = Math.max(this.#state.value('expired')[what], this.#switch(name)?.generation ?? 0);
    if (generation >= first) return false;
    this.#request.noteOverride?.(name);
    return true;
  }

  /** The switch, if it is on for this request. */
  #switch<Kind extends WorldSwitch>(kind: Kind): OverrideOf<Kind> | undefined {
    const overrides = this.#state.table('levers');
    const override = overrides.size === 0 ? undefined : overrides.firstOf('phase', kind);
    if (!override) return undefined;
    const { match } = override.settings;
    const { facts } = this.#request;
    return !match || (facts && matches(match, facts)) ? (override as unknown as OverrideOf<Kind>) : undefined;
  }
}

/** The assumptions of a sandbox, with a trace of their own. */
export const resolvedAssumptions = (state: State): Assumptions =>
  new Assumptions(state.value('readings'), state.value('administration_times').values);

/** The world of the operator. @param baseUrl of the sandbox, if URLs are made */
export const operatorWorld = (state: State, context: WriteContext, baseUrl = ''): World =>
  new SandboxWorld(state, context, { baseUrl }, resolvedAssumptions(state));
