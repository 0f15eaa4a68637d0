// `sachet requests`: prints the journal of a sandbox of a running server, with --follow also the requests to come.
import { type Command, Option } from 'commander';
import { hasColors } from '../call-line.ts';
import { entryLine, followRequests, type JournalEntry, type Remote, readJournal } from '../remote-sandbox.ts';
import { addOptions, integerFrom, jsonFlag, type RemoteFlags, remoteFlags, remoteOf } from './flags.ts';

interface RequestsOptions extends RemoteFlags {
  readonly follow: boolean;
  readonly tail?: number;
  readonly json: boolean;
}

export const add = (line: Command): Command =>
  addOptions(
    line.command('requests').option('--follow', 'also print new requests as they come, until Ctrl-C', false),
    remoteFlags(),
  )
    .description('print the requests that a sandbox of a running server received')
    .addOption(new Option('--tail <number>', 'print only this number of past requests').argParser(integerFrom(0)))
    .addOption(jsonFlag('print each request as one line of JSON'))
    .addHelpText('after', '\nExamples:\n  sachet requests --tail 20 --follow\n  sachet requests --sandbox w7 --json')
    .action(requests);

async function requests({ follow: isFollowing, tail, json, ...flags }: RequestsOptions): Promise<void> {
  const remote = remoteOf(flags);
  const print = (entry: JournalEntry) =>
    void process.stdout.write(`${json ? JSON.stringify(entry) : entryLine(entry, hasColors(process.stdout))}\n`);
  if (isFollowing) await follow(remote, print, tail);
  else for (const entry of lastOf(await readOrWarn(remote), tail)) print(entry);
}

const lastOf = (entries: readonly JournalEntry[], tail = entries.length): readonly JournalEntry[] =>
  entries.slice(Math.max(0, entries.length - tail));

async function readOrWarn(remote: Remote): Promise<readonly JournalEntry[]> {
  const { requests, dropped } = await readJournal(remote);
  if (dropped > 0) notify(`${dropped} earlier requests are no longer in the journal`);
  return requests;
}

async function follow(remote: Remote, print: (entry: JournalEntry) => void, tail?: number): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  // The reader of the output has gone.
  process.stdout.once('error', () => stop.abort());
  try {
    // Connects before it lists, so that no request is missed; those in both are printed once.
    const live = await followRequests(remote, stop.signal, notify);
    const listed = (await readOrWarn(remote)).filter(({ completed }) => completed);
    const printed = new Set(listed.map(({ id }) => id));
    for (const entry of lastOf(listed, tail)) print(entry);
    for await (const entry of live) if (entry.completed && !printed.has(entry.id)) print(entry);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

const notify = (sentence: string): void => void process.stderr.write(`sachet: ${sentence}\n`);
