// How a server is: an engine answers only once its fixtures and scenarios are loaded, so it is ready until it is told to end.
import { type Health, healthStatuses } from '../contract/health.ts';
import type { Rendered } from './rendered.ts';

export class HealthOfServer {
  readonly #version: string;
  #status: Health['status'] = 'ok';

  constructor(version: string) {
    this.#version = version;
  }

  /** Whoever sends calls here shall stop, from now on. */
  drain(): void {
    this.#status = 'draining';
  }

  answer(): Rendered {
    const health: Health = { status: this.#status, version: this.#version };
    const headers = { 'content-type': 'application/json' };
    return { kind: 'data', status: healthStatuses[health.status], headers, body: JSON.stringify(health) };
  }
}
