// How a server is: an engine answers only once its fixtures and scenarios are loaded, so it is ready until it is told to end.
import { type Health, healthStatuses } from '../contract/health.ts';
import type { ServiceResponse } from './exchange.ts';

export class HealthOfServer {
  readonly #version: string;
  readonly #trouble: () => string | undefined;
  #isDraining = false;

  /** @param trouble what the store does not do now, and why */
  constructor(version: string, trouble: () => string | undefined) {
    this.#version = version;
    this.#trouble = trouble;
  }

  /** Whoever sends calls here shall stop, from now on. */
  drain(): void {
    this.#isDraining = true;
  }

  answer(): ServiceResponse {
    const health = this.#health();
    const headers = { 'content-type': 'application/json' };
    return { kind: 'data', status: healthStatuses[health.status], headers, body: JSON.stringify(health) };
  }

  #health(): Health {
    const version = this.#version;
    if (this.#isDraining) return { status: 'draining', version };
    const why = this.#trouble();
    return why === undefined ? { status: 'ok', version } : { status: 'degraded', version, why };
  }
}
