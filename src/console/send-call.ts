// Calls that the console sends for its user. They pass through the service like those of a client. Conduct ignores them.
import { sandboxBase } from '../contract/addresses.ts';
import { cannot } from '../contract/control/control-operation.ts';
import { BrokenConnection } from '../http/response.ts';
import { urlParts } from '../http/urls.ts';
import type { Entry } from '../journal/entry.ts';
import { requestId } from '../system/random.ts';
import type { ConsoleRequest } from './console-request.ts';

export interface CallToSend {
  readonly method: string;
  /** The path with its query, without the base URL. */
  readonly target: string;
  readonly headers: Headers;
  /** Not sent with GET and HEAD: the service ignores it there. */
  readonly body: string | null;
}

export interface SentCall {
  /** Null if the connection broke. */
  readonly status: number | null;
  /** The body; empty if the connection broke. */
  readonly text: string;
  /** Undefined if the journal has no such call: a reset cleared it meanwhile, or the path is not one of the API. */
  readonly entry: Entry | undefined;
}

/** Sends a call and finds it in the journal. @throws ControlRefusal 422 if it is not a valid HTTP request */
export async function sendCall({ sandbox, fetch, request }: ConsoleRequest, call: CallToSend): Promise<SentCall> {
  // Unique, so that the call is found in the journal.
  const agent = `Sachet console (${requestId()})`;
  const answer = await fetch(requestOf(call, urlParts(request.url).origin, sandboxBase(sandbox.name), agent))
    .then(async (received) => ({ status: received.status, text: await received.text() }))
    .catch((error: unknown) => {
      if (!isBrokenConnection(error)) throw error;
      return { status: null, text: '' };
    });
  await sandbox.journal.catchUp();
  const isOfCall = ({ headers }: Entry) => headers.some(([name, value]) => name === 'user-agent' && value === agent);
  return { ...answer, entry: sandbox.journal.newestFirst().find(isOfCall) };
}

function requestOf(
  { method, target, headers, body }: CallToSend,
  origin: string,
  base: string,
  agent: string,
): Request {
  headers.set('user-agent', agent);
  const url = new URL(origin + base + target);
  // Dot segments could lead to another sandbox.
  const isInside = target.startsWith('/') && url.pathname.startsWith(`${base}/`);
  if (!isInside)
    throw cannot('target', 'The path begins with "/" and stays in the sandbox, such as /v2/orders?limit=2');
  const isBodyIgnored = method === 'GET' || method === 'HEAD';
  try {
    return new Request(url, { method, headers, ...(!isBodyIgnored && body !== null && { body }) });
  } catch (error) {
    throw cannot('method', `"${method.slice(0, 40)}" is not a method to send: ${(error as Error).message}`);
  }
}

/** The connection can break before the response or in its body. */
const isBrokenConnection = (error: unknown): boolean =>
  error instanceof BrokenConnection || (error instanceof TypeError && error.message === 'terminated');
