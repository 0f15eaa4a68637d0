// `sachet healthcheck`: whether the server on this machine is ready. A container runs it every few seconds, so it loads nothing of the server.

import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { Command } from 'commander';
import { healthPath } from '../../contract/addresses.ts';
import { healthStatuses, isReady } from '../../contract/health.ts';
import { UsageError } from '../../stores/errors.ts';
import { givenFlags, hostFlag, portFlag } from '../flags.ts';
import { reached, urlOf } from '../reach.ts';
import { visible } from '../visible.ts';

interface Place {
  readonly port: number;
  readonly host: string;
}

const patienceMilliseconds = 2000;
const mostCharacters = 200;

/** Where the server listens: by the flags of this command, those of the server where it is process 1, the environment. */
export function addHealthcheck(program: Command): void {
  program
    .command('healthcheck')
    .description('exit with 0 where the server on this machine is ready, else with 1')
    .addOption(portFlag('port that the server listens on'))
    .addOption(hostFlag('address that the server listens on'))
    .action((options: Place, command: Command) =>
      healthcheck({ ...options, ...serverFlags(), ...givenFlags(command) } as Place),
    );
}

async function healthcheck({ port, host }: Place): Promise<void> {
  if (port === 0)
    throw new UsageError('port 0 is any free port; give the one that the server took by --port or SACHET_PORT');
  const url = urlOf(reached(host), port) + healthPath;
  const { status, body } = await asked(url);
  const told = `${url} answered ${status}: ${visible(body)}`;
  if (status !== healthStatuses.ok) throw new Error(told);
  if (!isReady(body)) throw new Error(`${told}; that is no Sachet`);
  process.stdout.write(`${told}\n`);
}

/** Node's own client: it is loaded in half the time that fetch takes. */
function asked(url: string): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(patienceMilliseconds);
    const fail = ({ code, message }: NodeJS.ErrnoException) => {
      const why = signal.aborted ? `nothing whole came within ${patienceMilliseconds} ms` : (code ?? message);
      reject(new Error(`no server is ready at ${url}: ${why}`));
    };
    const request = get(url, { signal, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body = (body + text).slice(0, mostCharacters);
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
      response.on('error', fail);
    });
    request.on('error', fail);
    // Whatever else ends it, such as another protocol, is no answer.
    request.on('close', () => fail(new Error('it broke off')));
  });
}

/**
 * Its port and host, where it was given them by flags; nothing where process 1 does not run this very command.
 * @param commandLine the words of process 1, each with a NUL behind it
 * @param script the file that this command runs
 */
export function serverFlags(commandLine = firstProcess(), script = process.argv[1] ?? ''): Record<string, unknown> {
  const words = commandLine.split('\0').slice(0, -1);
  const at = words.indexOf(script);
  const command = new Command().addOption(portFlag()).addOption(hostFlag());
  command.allowUnknownOption().allowExcessArguments().exitOverride();
  command.parse(at < 0 ? [] : words.slice(at + 1), { from: 'user' });
  return givenFlags(command);
}

/** None where there is no /proc. */
function firstProcess(): string {
  try {
    return readFileSync('/proc/1/cmdline', 'utf8');
  } catch {
    return '';
  }
}
