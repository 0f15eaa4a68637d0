// Opens a draft as the world that the domain's rules see.
import type { SingleName, SingleOf } from '../contract/records.ts';
import type { Terms } from '../contract/terms.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Bent, Caller, Identity, Table, TableName, World } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { bentFor } from './bent.ts';
import { timeOf } from './clock.ts';
import type { RequestFacts } from './match.ts';
import { newId } from './new-id.ts';

/** What a visitor brings to the world, besides the sandbox's state. */
export interface Visitor {
  readonly baseUrl: string;
  readonly hashes: Hashes;
  readonly caller?: Caller | undefined;
  /** The call, where switches may be meant for some calls only. */
  readonly facts?: RequestFacts | undefined;
  /** Where the names of switches are noted that bend what the visitor sees. */
  readonly bentBy?: Set<string>;
}

export class OpenWorld implements World {
  readonly now: number;
  readonly terms: Terms;
  readonly identity: Identity;
  readonly #draft: Draft;
  readonly #visitor: Visitor;
  #bent: Bent | undefined;

  /** @param machineTime the machine's time, read once per request */
  constructor(draft: Draft, visitor: Visitor, machineTime: number, terms: Terms) {
    this.now = timeOf(draft.value('clock'), machineTime);
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
    this.#bent ??= bentFor(this.#draft, this.#visitor.facts, (name) => this.#visitor.bentBy?.add(name));
    return this.#bent;
  }

  get caller(): Caller {
    if (!this.#visitor.caller) throw new Error('this endpoint has no caller');
    return this.#visitor.caller;
  }

  table<Name extends TableName>(name: Name): Table<Name> {
    return this.#draft.table(name);
  }

  single<Name extends SingleName>(name: Name): SingleOf<Name> {
    return this.#draft.value(name) as SingleOf<Name>;
  }

  newId(purpose: TableName | 'order_lines' | 'tokens'): string {
    return newId(this.#draft, this.hashes, purpose);
  }
}
