// What a client saw, byte by byte: each answer's status, headers and body, without the names of the requests.
import { type BareSachet, send } from '../support/sachet.ts';

/** The storage's word for a label that is gone looks like a secret's name: the journal hides what stands behind it, the request's id among it. */
const hiddenId = /NoSuchKey\[redacted [0-9a-f]{8}\]/g;

/** The id of a request, which nothing depends on. The storage tells it in its bodies, too, as S3 does. */
const requestId = 'sandbox-request-id';

/** An answer as one text; a connection that broke is told by where. */
async function lineOf(answering: Promise<Response>): Promise<string> {
  const response = await answering.catch((error: Error) => error.message);
  if (typeof response === 'string') return response;
  const id = response.headers.get(requestId) ?? 'none';
  const headers = [...response.headers].filter(([name]) => name !== requestId);
  return JSON.stringify([response.status, headers, (await bytesOf(response)).replaceAll(id, 'ID')]);
}

/** The bytes of a body as far as they came. */
async function bytesOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body ?? []) chunks.push(chunk);
  } catch (error) {
    chunks.push(Buffer.from(`…${(error as Error).message}`));
  }
  return Buffer.concat(chunks).toString('latin1');
}

/** What a client needs to remember from one call to the next. */
interface Memory {
  token?: string;
  refreshToken?: string;
  order?: string;
  cursor?: string;
  label?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as a client does, field by field
type Body = any;

/** A client of one sandbox, who writes down all that it is answered. */
export class Scribe {
  readonly #sachet: BareSachet;
  readonly #base: string;
  readonly #memory: Memory;
  readonly lines: string[] = [];

  /** @param base the path of the sandbox's base URL */
  constructor(sachet: BareSachet, base: string, memory: Memory = {}) {
    this.#sachet = sachet;
    this.#base = base;
    this.#memory = memory;
  }

  /** The same client, who goes on in another Sachet. */
  movedTo(sachet: BareSachet): Scribe {
    return new Scribe(sachet, this.#base, { ...this.#memory });
  }

  async logIn(username = 'demo', password = 'sachet-demo'): Promise<void> {
    const body = await this.#call('POST', '/v2/authentication/token', { username, password });
    this.#memory.token = body?.access_token ?? this.#memory.token;
    this.#memory.refreshToken = body?.refresh_token ?? this.#memory.refreshToken;
  }

  async refresh(): Promise<void> {
    const { refreshToken: refresh_token = 'none' } = this.#memory;
    const body = await this.#call('POST', '/v2/authentication/refresh-token', { refresh_token });
    this.#memory.token = body?.access_token ?? this.#memory.token;
  }

  async order(order: unknown): Promise<void> {
    const body = await this.#call('POST', '/v2/orders', order);
    this.#memory.order = body?.order?.id ?? this.#memory.order;
  }

  /** Asks for the order made last, or cancels it. */
  async ofOrder(method: string, what = ''): Promise<void> {
    await this.#call(method, `/v2/orders/${this.#memory.order ?? 'none'}${what}`);
  }

  /** The next page, or the first. */
  async page(): Promise<void> {
    const { cursor } = this.#memory;
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const body = await this.#call('GET', `/v2/fulfillments?limit=3${query}`);
    this.#memory.cursor = body?.next_cursor ?? undefined;
    this.#memory.label = body?.fulfillments?.[0]?.label_url ?? this.#memory.label;
  }

  /** Downloads the label seen last. */
  async label(): Promise<void> {
    const { label = `${this.#base}/_storage/labels/none.pdf` } = this.#memory;
    this.lines.push(await lineOf(send(this.#sachet, 'GET', label)));
  }

  async get(path: string): Promise<void> {
    await this.#call('GET', path);
  }

  /** The parsed body of an answer that came whole. */
  async #call(method: string, path: string, body?: unknown): Promise<Body> {
    const { token } = this.#memory;
    const line = await lineOf(send(this.#sachet, method, this.#base + path, { token, body }));
    this.lines.push(`${method} ${path} ${line}`);
    if (!line.startsWith('[')) return undefined;
    const [, , text] = JSON.parse(line) as [number, unknown, string];
    return parsed(text);
  }
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A sandbox's whole state, but for when its clock was set. */
export async function stateOf(sachet: BareSachet, name: string): Promise<object> {
  const state = await sachet.control.sandbox(name).state.get();
  return { ...state, clock: { ...state.clock, at: 0 } };
}

/** A sandbox's journal, but for the names of the requests and how long they took. */
export async function journalOf(sachet: BareSachet, name: string): Promise<unknown[]> {
  const { requests } = await sachet.control.sandbox(name).requests.list();
  return requests.map((request) => {
    const text = JSON.stringify({ ...request, id: 'ID', duration_ms: 0 });
    return JSON.parse(text.replaceAll(request.id, 'ID').replaceAll(hiddenId, 'NoSuchKey'));
  });
}

export const baseOf = (name: string): string => `/sandboxes/${name}`;
