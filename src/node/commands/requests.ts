// `sachet requests`: the journal of a sandbox of a running server, and with --follow what comes after it.
import type { Command } from 'commander';
import { stage } from '../../contract/addresses.ts';
import { requestOperations } from '../../contract/admin/requests.ts';
import { ask, type Remote, StrangeAnswerError } from '../ask.ts';
import { sandbox } from '../contract-values.ts';
import { absoluteUrl } from '../flag-values.ts';
import { adminKeyFlag, flag, jsonFlag, usualUrl } from '../flags.ts';
import { entryLine, type JournalEntry, journalList } from '../journal-entry.ts';
import { LiveRequests } from '../live-requests.ts';
import { UsageError } from '../usage-error.ts';

interface RequestsOptions {
  readonly follow: boolean;
  readonly sandbox: string;
  readonly url: string;
  readonly adminKey?: string;
  readonly json: boolean;
}

export function addRequests(program: Command): void {
  program
    .command('requests')
    .description('print the requests that a sandbox of a running server received')
    .addOption(flag('--follow', 'go on with those to come, until Ctrl-C').default(false))
    .addOption(flag('--sandbox <name>', 'which sandbox').argParser(sandbox).default(stage))
    .addOption(flag('--url <url>', 'where the server is').argParser(absoluteUrl).default(usualUrl))
    .addOption(adminKeyFlag('the admin key that the start of the server printed'))
    .addOption(jsonFlag('print each request as one line of JSON'))
    .action(requests);
}

async function requests({ follow: isFollowing, adminKey, json, url, sandbox: name }: RequestsOptions): Promise<void> {
  if (adminKey === undefined)
    throw new UsageError(
      'there is no admin key; give the one that the start of the server printed by --admin-key or SACHET_ADMIN_KEY',
    );
  const print = (entry: JournalEntry) =>
    void process.stdout.write(`${json ? JSON.stringify(entry) : entryLine(entry)}\n`);
  const remote = { url, sandbox: name, adminKey };
  if (isFollowing) await follow(remote, print);
  else for (const entry of await soFar(remote)) print(entry);
}

async function soFar(remote: Remote): Promise<readonly JournalEntry[]> {
  const response = await ask(remote, requestOperations['requests.list']);
  const body: unknown = await response.json().catch(() => undefined);
  const { data } = journalList.safeParse(body);
  if (!data) throw new StrangeAnswerError(remote.url);
  if (data.dropped > 0) tell(`${data.dropped} earlier requests are no longer in the journal`);
  return data.requests;
}

async function follow(remote: Remote, print: (entry: JournalEntry) => void): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  // Whoever read the lines has gone.
  process.stdout.once('error', () => stop.abort());
  try {
    await printAll(remote, print, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

async function printAll(remote: Remote, print: (entry: JournalEntry) => void, signal: AbortSignal): Promise<void> {
  // Connected first, so that nothing falls between the list and the events; what stands in both is printed once.
  const coming = await new LiveRequests(remote, signal, tell).open();
  const former = (await soFar(remote)).filter(({ completed }) => completed);
  const printed = new Set(former.map(({ id }) => id));
  for (const entry of former) print(entry);
  for await (const entry of coming) if (entry.completed && !printed.has(entry.id)) print(entry);
}

const tell = (sentence: string): void => void process.stderr.write(`sachet: ${sentence}\n`);
