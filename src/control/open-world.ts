// Opens a draft as the world that the domain's rules see.
import type { SingleName, SingleOf } from '../contract/records.ts';
import type { Terms } from '../contract/terms.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Bent, Caller, Identity, Table, TableName, World } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { bentFor } from './bent.ts';
import { dueAt, isAutomatic } from './due.ts';
import { drawFraction } from './ids.ts';
import type { RequestFacts } from './match.ts';
import { newId } from './new-id.ts';

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
  readonly #draft: Draft;
  readonly #visitor: Visitor;
  #bent: Bent | undefined;
  #isTimelineNoted = false;

  /** @param now the sandbox's time */
  constructor(draft: Draft, visitor: Visitor, now: number, terms: Terms) {
    this.now = now;
    this.terms = terms;
    this.identity = draft.value('identity');
    this.#draft = draft;
    this.#visitor = visitor;
  }

  get baseUrl(): string {
    return this.#visitor.baseUrl;
  }

  get hashes(): Hashes {
    return this.#visitor.hashes;
  }

  get generations(): World['generations'] {
    return this.#draft.value('generations');
  }

  get bent(): Bent {
    this.#bent ??= bentFor(this.#draft, this.#visitor);
    return this.#bent;
  }

  get caller(): Caller {
    if (!this.#visitor.caller) throw new Error('this endpoint has no caller');
    return this.#visitor.caller;
  }

  table<Name extends TableName>(name: Name): Table<Name> {
    if (!this.#isTimelineNoted && (name === 'orders' || name === 'fulfillments')) this.#noteTimeline();
    return this.#draft.table(name);
  }

  /** The timeline shapes what is seen of orders where it moves them, and where it would have moved them by now. */
  #noteTimeline(): void {
    this.#isTimelineNoted = true;
    if (isAutomatic(this.terms.readings) || dueAt(this.#draft.table('due_steps'), this.now))
      this.terms.get('fulfillment_timeline');
  }

  single<Name extends SingleName>(name: Name): SingleOf<Name> {
    return this.#draft.value(name) as SingleOf<Name>;
  }

  newId(purpose: TableName | 'order_lines' | 'tokens'): string {
    return newId(this.#draft, this.hashes, purpose);
  }

  draw(purpose: string, n: number): number {
    return drawFraction(this.hashes, this.identity.seed, purpose, n);
  }

  count(purpose: string): number {
    return this.#draft.count(purpose);
  }
}
