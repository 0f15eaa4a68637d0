// The adaptor and the routes behind it, loaded with the first request that needs them.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Engine } from '../engine-options.ts';
import { send } from './carry.ts';
import { failure } from './failure.ts';
import type { UnderWay } from './under-way.ts';

export class LazyAdaptor {
  readonly #engine: Engine;
  readonly #underWay: UnderWay;
  #adapted: RequestListener | undefined;
  #loading: Promise<RequestListener> | undefined;

  constructor(engine: Engine, underWay: UnderWay) {
    this.#engine = engine;
    this.#underWay = underWay;
  }

  /** Whether requests wait for it. */
  get isLoading(): boolean {
    return this.#loading !== undefined && this.#adapted === undefined;
  }

  /** Answers a request, in the order in which they come. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#adapted) {
      this.#adapted(incoming, outgoing);
      return;
    }
    this.#loading ??= this.#load();
    this.#loading.then(
      (adapted) => adapted(incoming, outgoing),
      (error: unknown) => {
        this.#loading = undefined;
        send(incoming, failure(error), { incoming, outgoing });
      },
    );
  }

  async #load(): Promise<RequestListener> {
    const [{ adaptedTo }] = await Promise.all([import('./adaptor.ts'), this.#engine.load()]);
    const adapted = adaptedTo(this.#engine, this.#underWay);
    // Those who wait already are answered before whoever comes.
    setImmediate(() => {
      this.#adapted = adapted;
    });
    return adapted;
  }
}
