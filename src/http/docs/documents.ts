// The OpenAPI documents as texts: the service's by the readings of a sandbox, and the control API's. What makes them is loaded with the
// first of them, and each is made once.

import type { Readings } from '../../contract/assumptions.ts';
import type { ControlExamples } from '../../contract/openapi/control-examples.ts';
import type { Illustrated } from '../../contract/openapi/samples.ts';
import { Terms } from '../../contract/terms.ts';

/** Gives what the documents show as examples. */
export interface Illustrations {
  /** By the readings that the document follows; the server is at `baseUrl` in them. */
  readonly service: (readings: Readings, baseUrl: string) => Promise<Illustrated>;
  readonly control: () => ControlExamples;
}

/** Stands in a kept text for the base URL that it is asked under. No machine has this name (RFC 6761). */
const keptBase = 'http://sachet.invalid';

export class Documents {
  readonly #illustrations: Illustrations;
  readonly #version: string;
  /** Readings and lists are interned, so that this has one text for each distinct pair. */
  readonly #kept = new WeakMap<Readings, WeakMap<readonly string[], Promise<string>>>();
  #control: Promise<string> | undefined;

  constructor(illustrations: Illustrations, version: string) {
    this.#illustrations = illustrations;
    this.#version = version;
  }

  /** The service's document, for whom these readings hold. */
  async service(readings: Readings, administrationTimes: readonly string[], baseUrl: string): Promise<string> {
    const ofReadings = this.#kept.get(readings) ?? new WeakMap<readonly string[], Promise<string>>();
    const text = ofReadings.get(administrationTimes) ?? this.#service(readings, administrationTimes);
    this.#kept.set(readings, ofReadings.set(administrationTimes, text));
    // What failed once is tried anew.
    text.catch(() => ofReadings.delete(administrationTimes));
    return (await text).replaceAll(keptBase, baseUrl);
  }

  async control(baseUrl: string): Promise<string> {
    this.#control ??= this.#makeControl();
    this.#control.catch(() => {
      this.#control = undefined;
    });
    return (await this.#control).replaceAll(keptBase, baseUrl);
  }

  async #service(readings: Readings, administrationTimes: readonly string[]): Promise<string> {
    const { serviceDocument } = await import('../../contract/openapi/service-document.ts');
    const illustrated = await this.#illustrations.service(readings, keptBase);
    const terms = new Terms(readings, administrationTimes);
    return JSON.stringify(serviceDocument({ terms, baseUrl: keptBase, version: this.#version, ...illustrated }));
  }

  async #makeControl(): Promise<string> {
    const { controlDocument } = await import('../../contract/openapi/control-document.ts');
    return JSON.stringify(
      controlDocument({ url: keptBase, version: this.#version, examples: this.#illustrations.control() }),
    );
  }
}
