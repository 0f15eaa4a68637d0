// `sachet healthcheck`: is the server on this machine ready? A container runs it every few seconds, so it loads nothing
// of the server.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import { normalize } from 'node:path';
import { Command } from 'commander';
import { printable } from '../../client/printable.ts';
import { healthPath } from '../../contract/addresses.ts';
import { healthStatuses, isReady } from '../../contract/health.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { addressToCall, urlOf } from '../host-address.ts';
import { addOptions, givenFlags, hostFlag, portFlag, tlsCertFlag, tlsFlag } from './flags.ts';
import type { ServeFlags } from './serve-flags.ts';

type Place = Pick<ServeFlags, 'port' | 'host' | 'tls' | 'tlsCert'>;

const timeoutMilliseconds = 2000;
const maxCharacters = 200;

/** The address comes from this command's flags, else from those of a server that is process 1, else the environment. */
export const add = (line: Command): Command =>
  addOptions(line.command('healthcheck'), [
    portFlag('port that the server listens on'),
    hostFlag('address that the server listens on'),
    tlsFlag('the server speaks HTTPS, with a certificate that it made'),
    tlsCertFlag('the server speaks HTTPS, with this certificate'),
  ])
    .description('exit with 0 if the server on this machine is ready, otherwise with 1')
    .action((options: Place, command: Command) =>
      healthcheck({ ...options, ...serverFlags(), ...givenFlags(command) } as Place),
    );

async function healthcheck({ port, host, tls, tlsCert }: Place): Promise<void> {
  if (port === 0)
    throw new UsageError(
      'port 0 means any free port; pass the port that the server listens on with --port or SACHET_PORT',
    );
  const scheme = tls || tlsCert ? 'https' : 'http';
  const url = urlOf(addressToCall(host), port, scheme) + healthPath;
  const { status, body } = await getHealth(url);
  const answer = `${url} answered ${status}: ${printable(body)}`;
  if (status !== healthStatuses.ok) throw new Error(answer);
  if (!isReady(body)) throw new Error(`${answer}; this is not a Sachet server`);
  process.stdout.write(`${answer}\n`);
}

/**
 * Uses node:http: it loads in half the time of fetch. Like Kubernetes probes, it does not verify the certificate: it
 * asks this machine, sends no secret, and the certificate may name other hosts only.
 */
async function getHealth(url: string) {
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const { request: send } = url.startsWith('https:') ? await import('node:https') : http;
    const request = send(url, { signal, agent: false, rejectUnauthorized: false }).end();
    // It closes without a response if the server speaks another protocol.
    const ended = await Promise.race([once(request, 'response'), once(request, 'close')]);
    const [response] = ended as [IncomingMessage?];
    if (!response) throw new Error('the connection closed without a response');
    let body = '';
    for await (const text of response.setEncoding('utf8')) body = (body + text).slice(0, maxCharacters);
    return { status: response.statusCode, body };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = signal.aborted ? `no complete response within ${timeoutMilliseconds} ms` : (code ?? message);
    throw new Error(`no server is ready at ${url}: ${why}`);
  }
}

/**
 * The flags of the server that runs as process 1; empty if process 1 runs something else.
 * @param commandLine the words of process 1, each ended by a NUL
 * @param script the file that this command runs
 */
export function serverFlags(
  commandLine = readFirstCommandLine(),
  script = process.argv[1] ?? '',
): Record<string, unknown> {
  const words = commandLine.split('\0').slice(0, -1);
  const at = words.findIndex((word) => endsWithPath(word, script) || endsWithPath(script, word));
  const command = addOptions(new Command(), [portFlag(), hostFlag(), tlsFlag(), tlsCertFlag()]);
  command.allowUnknownOption().allowExcessArguments().exitOverride();
  command.parse(at < 0 ? [] : words.slice(at + 1), { from: 'user' });
  return givenFlags(command);
}

/** Two spellings of one file, such as `sachet` and `/usr/local/bin/sachet`. */
const endsWithPath = (path: string, end: string): boolean => `/${normalize(path)}`.endsWith(`/${normalize(end)}`);

/** Empty without /proc. */
function readFirstCommandLine(): string {
  try {
    return readFileSync('/proc/1/cmdline', 'utf8');
  } catch {
    return '';
  }
}
