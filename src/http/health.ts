// What /health says: an engine answers only once its fixtures and scenarios are loaded, so it is ready until it is told to end.

export class Health {
  readonly #version: string;
  #isDraining = false;

  constructor(version: string) {
    this.#version = version;
  }

  /** Whoever sends calls here shall stop: from now on it is 503. */
  drain(): void {
    this.#isDraining = true;
  }

  answer(): Response {
    const status = this.#isDraining ? 'draining' : 'ok';
    return Response.json({ status, version: this.#version }, { status: this.#isDraining ? 503 : 200 });
  }
}
