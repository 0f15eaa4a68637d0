// The OpenAPI documents as texts: the service's by the readings of a sandbox, and the control API's. What makes them is loaded with the
// first of them; a text is made once, one after the other, and the last asked for are kept.
import { LRUCache } from 'lru-cache';
import { sandboxBase, stage } from '../../contract/addresses.ts';
import type { Assumptions } from '../../contract/resolved-assumptions.ts';
import type { ControlExamples } from '../../openapi/control-document.ts';
import type { DocumentExamples } from '../../openapi/samples.ts';
import { after } from '../../system/time.ts';

/** Gives what the documents show as examples: of the server's own fixtures with their passwords, or nothing that is anybody's secret. */
export interface Illustrations {
  /** By the terms that the document follows; the server is at `origin` in them, and the sandbox is `stage`. */
  readonly service: (assumptions: Assumptions, origin: string, isOpen: boolean) => Promise<DocumentExamples>;
  readonly control: (isOpen: boolean) => Promise<ControlExamples>;
}

/** How a document is asked for. */
export interface Asked {
  readonly origin: string;
  readonly sandbox: string;
  /** What the paths stand behind: the plain base URL, or the sandbox's own. */
  readonly baseUrl: string;
  /** Whether the data of the fixtures may be shown to whoever asks. */
  readonly isOpen: boolean;
}

/** Stands in a kept text for what the paths stand behind, or with what may follow it for the sandbox. No machine has this name (RFC 6761). */
const keptOrigin = 'http://openapi.sachet.invalid';
const keptUrls = new RegExp(`${keptOrigin.replaceAll('.', '\\.')}(${sandboxBase(stage)}(?=/))?`, 'g');
/** Documents that wait to be made: each takes its time from everybody. */
const maxWaiting = 16;

/** More documents are asked for than are made at a time. */
export class DocumentsBusy extends Error {
  override readonly name = 'DocumentsBusy';
}

export class Documents {
  readonly #illustrations: Illustrations;
  readonly #version: string;
  readonly #kept = new LRUCache<string, Promise<string>>({ max: 64 });
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(illustrations: Illustrations, version: string) {
    this.#illustrations = illustrations;
    this.#version = version;
  }

  /** The service's document, for whom these terms hold. @throws DocumentsBusy */
  async service(assumptions: Assumptions, asked: Asked): Promise<string> {
    const key = JSON.stringify([asked.isOpen, assumptions.choices, assumptions.administrationTimes]);
    return placed(await this.#text(key, () => this.#service(assumptions, asked.isOpen)), asked);
  }

  async control(asked: Asked): Promise<string> {
    return placed(await this.#text(`control ${asked.isOpen}`, () => this.#control(asked.isOpen)), asked);
  }

  /** One promise for all who ask while it is made; what failed is made anew. @throws DocumentsBusy */
  #text(key: string, make: () => Promise<string>): Promise<string> {
    const text = this.#kept.get(key) ?? this.#made(key, make);
    this.#kept.set(key, text);
    return text;
  }

  /** Each takes some hundred milliseconds: between two there is a turn for others. */
  #made(key: string, make: () => Promise<string>): Promise<string> {
    if (this.#waiting >= maxWaiting) throw new DocumentsBusy(`${maxWaiting} documents are being made`);
    this.#waiting += 1;
    const made = this.#last.then(nextTurn).then(make);
    this.#last = made
      .catch(() => this.#kept.peek(key) === made && this.#kept.delete(key))
      .finally(() => {
        this.#waiting -= 1;
      });
    return made;
  }

  async #service(assumptions: Assumptions, isOpen: boolean): Promise<string> {
    const { serviceDocument } = await import('../../openapi/service-document.ts');
    const illustrated = await this.#illustrations.service(assumptions, keptOrigin, isOpen);
    return JSON.stringify(
      serviceDocument({ assumptions, baseUrl: keptOrigin, version: this.#version, ...illustrated }),
    );
  }

  async #control(isOpen: boolean): Promise<string> {
    const { controlDocument } = await import('../../openapi/control-document.ts');
    const examples = await this.#illustrations.control(isOpen);
    return JSON.stringify(controlDocument({ url: keptOrigin, version: this.#version, examples }));
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => after(0, resolve));

/** The text as it is asked for: with this server, and this sandbox, in its URLs. */
const placed = (text: string, { origin, sandbox, baseUrl }: Asked): string =>
  text.replaceAll(keptUrls, (_, ofSandbox?: string) => inJson(ofSandbox ? origin + sandboxBase(sandbox) : baseUrl));

const inJson = (url: string): string => JSON.stringify(url).slice(1, -1);
