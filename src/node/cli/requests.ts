// `sachet requests`: the journal of a sandbox of a running server, and with --follow what comes after it.
import { type Command, Option } from 'commander';
import type { Remote } from '../remote-sandbox.ts';
import { entryLine, followRequests, type JournalEntry, readJournal } from '../remote-sandbox.ts';
import { jsonFlag, type RemoteFlags, remoteFlags, remoteOf } from './flags.ts';

interface RequestsOptions extends RemoteFlags {
  readonly follow: boolean;
  readonly json: boolean;
}

export function addRequests(program: Command): void {
  const command = program
    .command('requests')
    .description('print the requests that a sandbox of a running server received')
    .addOption(new Option('--follow', 'go on with those to come, until Ctrl-C').default(false));
  for (const option of remoteFlags()) command.addOption(option);
  command.addOption(jsonFlag('print each request as one line of JSON')).action(requests);
}

async function requests({ follow: isFollowing, json, ...flags }: RequestsOptions): Promise<void> {
  const remote = remoteOf(flags);
  const print = (entry: JournalEntry) =>
    void process.stdout.write(`${json ? JSON.stringify(entry) : entryLine(entry)}\n`);
  if (isFollowing) await follow(remote, print);
  else for (const entry of await soFar(remote)) print(entry);
}

async function soFar(remote: Remote): Promise<readonly JournalEntry[]> {
  const { requests, dropped } = await readJournal(remote);
  if (dropped > 0) tell(`${dropped} earlier requests are no longer in the journal`);
  return requests;
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
  const coming = await followRequests(remote, signal, tell);
  const former = (await soFar(remote)).filter(({ completed }) => completed);
  const printed = new Set(former.map(({ id }) => id));
  for (const entry of former) print(entry);
  for await (const entry of coming) if (entry.completed && !printed.has(entry.id)) print(entry);
}

const tell = (sentence: string): void => void process.stderr.write(`sachet: ${sentence}\n`);
