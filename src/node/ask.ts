// Asks the control API of a running server, and says in one sentence why that failed.
import { z } from 'zod';
import { bareUrl, filled } from '../contract/addresses.ts';
import type { ControlOperation } from '../contract/control/control-operation.ts';
import { printable } from './printable.ts';

/** A sandbox of a running server, and the key that opens it. */
export interface Remote {
  readonly url: string;
  readonly sandbox: string;
  readonly adminKey: string;
}

/** Nothing answers there, or no longer: worth another try. */
export class UnreachableError extends Error {}

/** What answers there is no Sachet, or none of this version. */
export class StrangeAnswerError extends Error {
  constructor(url: string) {
    super(`what answers at ${url} does not answer as a Sachet of this version; check --url`);
  }
}

/**
 * The answer of a success to an operation that reads something of the sandbox.
 * @throws UnreachableError, or an Error for an answer that is no success.
 */
export async function ask(
  remote: Remote,
  { method, path }: ControlOperation,
  { headers = {}, signal }: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const authorization = `Bearer ${remote.adminKey}`;
  const response = await sent(
    remote.url,
    filled(path, () => remote.sandbox),
    {
      method,
      headers: { ...headers, authorization },
      ...(signal ? { signal } : {}),
    },
  );
  if (!response.ok) throw new Error(await refusal(remote, response));
  return response;
}

/** The same, as what the schema says. @throws StrangeAnswerError, too */
export async function askFor<T extends z.ZodType>(
  schema: T,
  remote: Remote,
  operation: ControlOperation,
  options: { readonly signal?: AbortSignal } = {},
): Promise<z.output<T>> {
  const response = await ask(remote, operation, options);
  const { success, data } = schema.safeParse(await response.json().catch(() => undefined));
  if (success) return data;
  throw new StrangeAnswerError(remote.url);
}

/**
 * Whatever the server there answers.
 * @throws UnreachableError
 */
export async function sent(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    // A key goes nowhere but where it was told to go.
    return await fetch(bareUrl(url) + path, { ...init, redirect: 'manual' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new UnreachableError(
      `no server answers at ${url} (${reason(error)}); start one with \`sachet\`, or give its --url`,
    );
  }
}

/** fetch tells only that it failed; why stands in its cause, for a name with several addresses once per address. */
function reason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return code ?? message ?? String(cause);
}

async function refusal({ url, sandbox }: Remote, response: Response): Promise<string> {
  const { status } = response;
  const message = await messageOf(response);
  if (status === 401)
    return `the admin key is not the one of sandbox "${sandbox}" at ${url}; give the one that its start printed by --admin-key or SACHET_ADMIN_KEY`;
  if (status === 404)
    return `there is no sandbox "${sandbox}" at ${url}; give the name of one by --sandbox, and by --url where the server itself is`;
  return `${url} answered ${status}${message ? `: ${printable(message)}` : ''}`;
}

const errorBody = z.object({ message: z.string() });

async function messageOf(response: Response): Promise<string | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  return errorBody.safeParse(body).data?.message;
}
