// A client that writes down its responses: status, headers and body, without the ids of requests.
import { type BareSachet, send } from '../support/sachet.ts';

/** The journal redacts what follows `NoSuchKey`, which contains the id of the request. */
const hiddenId = /NoSuchKey\[redacted [0-9a-f]{8}\]/g;

const requestId = 'sandbox-request-id';

/** A response as one line, or the message of a broken connection. */
async function lineOf(answering: Promise<Response>): Promise<string> {
  const response = await answering.catch((error: Error) => error.message);
  if (typeof response === 'string') return response;
  const id = response.headers.get(requestId) ?? 'none';
  const headers = [...response.headers].filter(([name]) => name !== requestId);
  return JSON.stringify([response.status, headers, (await bytesOf(response)).replaceAll(id, 'ID')]);
}

async function bytesOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body ?? []) chunks.push(chunk);
  } catch (error) {
    chunks.push(Buffer.from(`…${(error as Error).message}`));
  }
  return Buffer.concat(chunks).toString('latin1');
}

/** What a client remembers of its responses. */
interface Memory {
  token?: string;
  refreshToken?: string;
  order?: string;
  cursor?: string;
  label?: string;
}

export class Scribe {
  readonly lines: string[] = [];
  readonly #sachet: BareSachet;
  readonly #base: string;
  readonly #memory: Memory;

  constructor(sachet: BareSachet, base: string, memory: Memory = {}) {
    this.#sachet = sachet;
    this.#base = base;
    this.#memory = memory;
  }

  /** The same client, with its tokens, on another server. */
  movedTo(sachet: BareSachet): Scribe {
    return new Scribe(sachet, this.#base, { ...this.#memory });
  }

  async logIn(username = 'demo', password = 'sachet-demo'): Promise<void> {
    const body = await this.#call('POST', '/v2/authentication/token', { username, password });
    this.#remember({ token: body?.access_token, refreshToken: body?.refresh_token });
  }

  async refresh(): Promise<void> {
    const { refreshToken: refresh_token = 'none' } = this.#memory;
    const body = await this.#call('POST', '/v2/authentication/refresh-token', { refresh_token });
    this.#remember({ token: body?.access_token });
  }

  async order(order: unknown): Promise<void> {
    const body = await this.#call('POST', '/v2/orders', order);
    this.#remember({ order: body?.order?.id });
  }

  /** Calls the newest order. */
  async ofOrder(method: string, what = ''): Promise<void> {
    await this.#call(method, `/v2/orders/${this.#memory.order ?? 'none'}${what}`);
  }

  async page(): Promise<void> {
    const { cursor } = this.#memory;
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const body = await this.#call('GET', `/v2/fulfillments?limit=3${query}`);
    delete this.#memory.cursor;
    this.#remember({ cursor: body?.next_cursor, label: body?.fulfillments?.[0]?.label_url });
  }

  /** Downloads the newest label. */
  async label(): Promise<void> {
    const { label = `${this.#base}/_storage/labels/none.pdf` } = this.#memory;
    this.lines.push(await lineOf(send(this.#sachet, 'GET', label)));
  }

  async get(path: string): Promise<void> {
    await this.#call('GET', path);
  }

  #remember(news: { readonly [Name in keyof Memory]: string | null | undefined }): void {
    for (const [name, value] of Object.entries(news)) if (value) this.#memory[name as keyof Memory] = value;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads a response as a client does, field by field
  async #call(method: string, path: string, body?: unknown): Promise<any> {
    const { token } = this.#memory;
    const line = await lineOf(send(this.#sachet, method, this.#base + path, { token, body }));
    this.lines.push(`${method} ${path} ${line}`);
    const [, , text = ''] = line.startsWith('[') ? JSON.parse(line) : [];
    return text.startsWith('{') ? JSON.parse(text) : undefined;
  }
}

/** The state of a sandbox without the time at which its clock was set. */
export async function stateOf(sachet: BareSachet, name: string): Promise<object> {
  const state = await sachet.control.sandbox(name).state.get();
  return { ...state, clock: { ...state.clock, at: 0 } };
}

/** The journal of a sandbox without ids and durations. */
export async function journalOf(sachet: BareSachet, name: string): Promise<unknown[]> {
  const { requests } = await sachet.control.sandbox(name).requests.list();
  return requests.map((request) => {
    const text = JSON.stringify({ ...request, id: 'ID', duration_ms: 0 });
    return JSON.parse(text.replaceAll(request.id, 'ID').replaceAll(hiddenId, 'NoSuchKey'));
  });
}

export const baseOf = (name: string): string => `/sandboxes/${name}`;
