// The errors of a connection to a server, for the control client and the commands.
import { commandName } from '../system/command-name.ts';

/** The server did not answer, or the connection broke; a retry may help. */
export class UnreachableError extends Error {}

/** Codes of Node for a certificate that fails verification, such as SELF_SIGNED_CERT_IN_CHAIN. */
const certificateCode = /(?:^|_)CERT(?:_|$)|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/;

const startServer = `start one with \`${commandName}\`, or pass the URL that it printed at startup`;

/** The error for a `fetch` that rejected. @param next what to do if no server answers */
export function connectionError(url: string, error: unknown, next = startServer): Error {
  // fetch puts the reason into its cause; for a name with several addresses that has a code, but no message.
  const reason = ((error as Error).cause ?? error) as { readonly code?: string; readonly message?: string };
  const { code = '', message = String(reason) } = reason;
  if (!certificateCode.test(code))
    return new UnreachableError(`no server answers at ${url} (${code || message}); ${next}`, { cause: error });
  return new Error(
    `the certificate of ${url} is not trusted (${code}); set the variable NODE_EXTRA_CA_CERTS to the file of its CA, ` +
      'and use a host name of the certificate',
    { cause: error },
  );
}

/** Fetches without following a redirect: the key must not go to another address. @throws Error for a redirect */
export async function fetchDirectly(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  if (response.status < 300 || response.status >= 400) return response;
  const location = response.headers.get('location') ?? 'another address';
  throw new Error(
    `${url} redirects to ${location}, maybe to a login page in front of the server; pass the URL that the server itself ` +
      'answers',
  );
}
