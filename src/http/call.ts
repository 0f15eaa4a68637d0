// One call under way: what came, the sandbox it belongs to, and what the stages have found out so far.
import { sandboxBase } from '../contract/addresses.ts';
import { Terms } from '../contract/terms.ts';
import { machineTime } from '../control/clock.ts';
import { OpenWorld } from '../control/open-world.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Caller, Identity, World } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import type { Sandbox } from '../state/sandbox.ts';
import type { Awaitable } from '../state/store.ts';
import type { Arrival } from './arrival.ts';
import type { Body } from './body.ts';
import type { Edge } from './edge.ts';

/** The sandbox a call belongs to, and the username it is logged in with there. */
export interface Located {
  readonly sandbox: Sandbox;
  readonly username?: string;
}

/** An answer before it is a Response. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Call {
  readonly edge: Edge;
  readonly arrival: Arrival;
  readonly sandbox: Sandbox;
  /** The username within the sandbox, for a login: without the tag. */
  readonly username: string | undefined;
  readonly body: Body | undefined;
  readonly #machineTime = machineTime();
  #terms: Terms | undefined;
  caller: Caller | undefined;
  /** The parsed parts of the request, filled in by the stages. */
  input: { params?: unknown; query?: unknown; body?: unknown } = {};
  reply: Reply | undefined;

  constructor(edge: Edge, arrival: Arrival, { sandbox, username }: Located, body: Body | undefined) {
    this.edge = edge;
    this.arrival = arrival;
    this.sandbox = sandbox;
    this.username = username;
    this.body = body;
  }

  /** The readings this call is judged by, with their trace; known from the admission on. */
  get terms(): Terms | undefined {
    return this.#terms;
  }

  get identity(): Identity {
    return this.sandbox.root.values.identity;
  }

  read<T>(run: (world: World) => T): Awaitable<T> {
    return this.sandbox.read((draft) => run(this.#open(draft)));
  }

  write<T>(run: (world: World) => T): Awaitable<T> {
    return this.sandbox.write((draft) => run(this.#open(draft)));
  }

  get hashes(): Hashes {
    return this.edge.hashes;
  }

  /** The absolute {base_url} under which this sandbox is reached by its name. */
  get baseUrl(): string {
    return this.arrival.origin + sandboxBase(this.sandbox.name);
  }

  #open(draft: Draft): World {
    return new OpenWorld(draft, this, this.#machineTime, this.#termsOf(draft));
  }

  /** One trace goes on through the whole call, unless the readings were changed under it. */
  #termsOf(draft: Draft): Terms {
    const readings = draft.value('readings');
    if (this.#terms?.readings !== readings)
      this.#terms = new Terms(readings, draft.value('administration_times').values);
    return this.#terms;
  }
}

/** The URL of this request as the caller knows it. */
export function requestUrl({ arrival: { origin, path, search } }: Call): URL {
  return new URL(origin + path + search);
}
