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

export type Scribe = ReturnType<typeof scribeOf>;

/** A client of this sandbox. */
export function scribeOf(sachet: BareSachet, name: string, memory: Memory = {}) {
  const lines: string[] = [];

  function remember(news: { readonly [Name in keyof Memory]: string | null | undefined }): void {
    for (const [key, value] of Object.entries(news)) if (value) memory[key as keyof Memory] = value;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads a response as a client does, field by field
  async function call(method: string, path: string, body?: unknown): Promise<any> {
    const { token } = memory;
    const line = await lineOf(send(sachet, method, baseOf(name) + path, { token, body }));
    lines.push(`${method} ${path} ${line}`);
    const [, , text = ''] = line.startsWith('[') ? JSON.parse(line) : [];
    return text.startsWith('{') ? JSON.parse(text) : undefined;
  }

  return {
    lines,
    /** The same client, with its tokens, on another server. */
    movedTo: (other: BareSachet) => scribeOf(other, name, { ...memory }),
    get: (path: string) => call('GET', path),
    async logIn(username = 'demo', password = 'sachet-demo') {
      const body = await call('POST', '/v2/authentication/token', { username, password });
      remember({ token: body?.access_token, refreshToken: body?.refresh_token });
    },
    async refresh() {
      const { refreshToken: refresh_token = 'none' } = memory;
      const body = await call('POST', '/v2/authentication/refresh-token', { refresh_token });
      remember({ token: body?.access_token });
    },
    async order(order: unknown) {
      const body = await call('POST', '/v2/orders', order);
      remember({ order: body?.order?.id });
    },
    /** Calls the newest order. */
    ofOrder: (method: string, what = '') => call(method, `/v2/orders/${memory.order ?? 'none'}${what}`),
    async page() {
      const { cursor } = memory;
      const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const body = await call('GET', `/v2/fulfillments?limit=3${query}`);
      delete memory.cursor;
      remember({ cursor: body?.next_cursor, label: body?.fulfillments?.[0]?.label_url });
    },
    /** Downloads the newest label. */
    async label() {
      const { label = `${baseOf(name)}/_storage/labels/none.pdf` } = memory;
      lines.push(await lineOf(send(sachet, 'GET', label)));
    },
  };
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
