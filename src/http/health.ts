// How a server is: an engine answers only once its fixtures and scenarios are loaded, so it is ready until it is told to end.
import { type Health, healthStatuses } from '../contract/health.ts';

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

  answer(): Response {
    const status = this.#status;
    return Response.json({ status, version: this.#version } satisfies Health, { status: healthStatuses[status] });
  }
}
