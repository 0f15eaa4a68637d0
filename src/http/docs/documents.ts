// The OpenAPI documents as JSON: the service's, which depends on a sandbox's assumptions, and the control API's. The
// code that makes them is loaded with the first one.
import { LRUCache } from 'lru-cache';
import { type OpenApiVersion, sandboxBase, stage } from '../../contract/addresses.ts';
import type { Assumptions } from '../../contract/resolved-assumptions.ts';
import type { OpenApiDocument } from '../../openapi/document.ts';
import type { ControlExamples, DocumentExamples } from '../../openapi/samples.ts';
import { pause } from '../../system/time.ts';

/**
 * The examples in the documents. With `isOpen` they come from the server's fixtures, with their passwords; without,
 * they hold no secrets.
 */
export interface Illustrations {
  /** The server is at `origin` in them, and the sandbox is `stage`. */
  readonly service: (assumptions: Assumptions, origin: string, isOpen: boolean) => Promise<DocumentExamples>;
  readonly control: (isOpen: boolean) => Promise<ControlExamples>;
}

export interface DocumentRequest {
  readonly origin: string;
  readonly sandbox: string;
  /** The base URL of the paths: the plain one, or the sandbox's own. */
  readonly baseUrl: string;
  /** Whether the caller may see the data of the fixtures. */
  readonly isOpen: boolean;
  /** The version of OpenAPI. */
  readonly version: OpenApiVersion;
}

/** The base URL in a cached document, also with a sandbox's path behind it. No machine has this name (RFC 6761). */
const placeholder = 'http://openapi.sachet.invalid';
const placeholders = new RegExp(`${placeholder.replaceAll('.', '\\.')}(${sandboxBase(stage)}(?=/))?`, 'g');

/** Each document blocks the process for some hundred milliseconds. */
const maxWaiting = 16;

/** Thrown if too many documents are requested at a time. */
export class DocumentsBusy extends Error {
  override readonly name = 'DocumentsBusy';
}

export class Documents {
  readonly #loadIllustrations: () => Promise<Illustrations>;
  readonly #version: string;
  readonly #texts = new LRUCache<string, Promise<string>>({ max: 64 });
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param loadIllustrations called for each document that is made */
  constructor(loadIllustrations: () => Promise<Illustrations>, version: string) {
    this.#loadIllustrations = loadIllustrations;
    this.#version = version;
  }

  /** The service's document under these assumptions. @throws DocumentsBusy */
  async service(assumptions: Assumptions, request: DocumentRequest): Promise<string> {
    const { isOpen, version } = request;
    const key = JSON.stringify([version, isOpen, assumptions.choices, assumptions.administrationTimes]);
    const text = await this.#text(key, async () => {
      const { serviceDocument } = await import('../../openapi/service-document.ts');
      const illustrations = await this.#loadIllustrations();
      const illustrated = await illustrations.service(assumptions, placeholder, isOpen);
      const made = { assumptions, baseUrl: placeholder, version: this.#version, ...illustrated };
      return inVersion(serviceDocument(made), version);
    });
    return withUrls(text, request);
  }

  /** The control API's document. @throws DocumentsBusy */
  async control(request: DocumentRequest): Promise<string> {
    const { isOpen, version } = request;
    const text = await this.#text(`control ${version} ${isOpen}`, async () => {
      const { controlDocument } = await import('../../openapi/control-document.ts');
      const examples = await (await this.#loadIllustrations()).control(isOpen);
      return inVersion(controlDocument({ url: placeholder, version: this.#version, examples }), version);
    });
    return withUrls(text, request);
  }

  /** The cached text; a new one is made after those that wait. A failure is not cached. */
  #text(key: string, make: () => Promise<object>): Promise<string> {
    const cached = this.#texts.get(key);
    if (cached) return cached;
    if (this.#waiting >= maxWaiting) throw new DocumentsBusy(`${maxWaiting} documents are being made`);
    this.#waiting += 1;
    const text = this.#last.then(nextTurn).then(make).then(JSON.stringify);
    this.#texts.set(key, text);
    this.#last = text
      .catch(() => this.#texts.delete(key))
      .finally(() => {
        this.#waiting -= 1;
      });
    return text;
  }
}

const inVersion = async (document: OpenApiDocument, version: OpenApiVersion): Promise<object> =>
  version === '3.0' ? (await import('../../openapi/version-3-0.ts')).openApi30(document) : document;

/** Lets other requests have a turn between two documents. */
const nextTurn = () => pause(0);

const withUrls = (text: string, { origin, sandbox, baseUrl }: DocumentRequest): string =>
  text.replaceAll(placeholders, (_, inSandbox?: string) =>
    JSON.stringify(inSandbox ? origin + sandboxBase(sandbox) : baseUrl).slice(1, -1),
  );
