// `sachet requests`: prints the journal of a sandbox of a running server, with --follow also the requests to come.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type RequestsQuery, requestsQuery } from '../../contract/control/requests.ts';
import { faultsOfFile } from '../../contract/file-errors.ts';
import { matches } from '../../journal/match.ts';
import { hasColors } from '../call-line.ts';
import { entryLine, followRequests, type JournalEntry, type Remote, readJournal } from '../remote-sandbox.ts';
import { addOptions, integerFrom, jsonFlag, type RemoteFlags, remoteFlags, remoteOf } from './flags.ts';

type Filters = Omit<RequestsQuery, 'limit' | 'cursor'>;

interface RequestsOptions extends RemoteFlags, Filters {
  readonly follow: boolean;
  readonly tail?: number;
  readonly json: boolean;
}

/** A filter of the control API, which has the same name there. */
const filterFlag = (name: keyof Filters, value: string, description: string): Option =>
  new Option(`--${name} <${value}>`, description).argParser((text) => {
    const { data, error } = requestsQuery.safeParse({ [name]: text });
    if (data) return data[name];
    const [fault] = faultsOfFile('query', { [name]: text }, error, requestsQuery);
    throw new InvalidArgumentError(`Expected ${fault?.expected}`);
  });

const filterFlags = (): Option[] => [
  filterFlag('status', 'code', 'print only requests with this status, such as 422'),
  filterFlag('rule', 'id', 'print only requests that this rule rejected, such as missing_token_message'),
  filterFlag('operation', 'id', 'print only requests to this operation, such as orders.create'),
  filterFlag('method', 'name', 'print only requests with this method, such as POST'),
  filterFlag('path', 'path', 'print only requests to this path, such as /v2/orders/{orderId}'),
  filterFlag('since', 'id', 'print only requests after this one, or since this time of the clock'),
];

export const add = (line: Command): Command =>
  addOptions(line.command('requests').option('--follow', 'also print new requests as they come, until Ctrl-C', false), [
    ...filterFlags(),
    ...remoteFlags(),
  ])
    .description('print the requests that a sandbox of a running server received')
    .addOption(new Option('--tail <number>', 'print only this number of past requests').argParser(integerFrom(0)))
    .addOption(jsonFlag('print each request as one line of JSON'))
    .addHelpText('after', examples)
    .action(requests);

const examples = `
Examples:
  sachet requests --tail 20 --follow
  sachet requests --status 401 --rule missing_token_message
  sachet requests --sandbox w7 --json`;

async function requests({ follow: isFollowing, tail, json, ...flags }: RequestsOptions): Promise<void> {
  const { sandbox, url, adminKey, ...filters } = flags;
  const remote = remoteOf(flags);
  const print: Print = (entry) =>
    void process.stdout.write(`${json ? JSON.stringify(entry) : entryLine(entry, hasColors(process.stdout))}\n`);
  if (isFollowing) await follow(remote, filters, print, tail);
  else {
    const listed = await readOrWarn(remote, filters);
    for (const entry of lastOf(listed, tail)) print(entry);
    const which = Object.keys(filters).length > 0 ? 'no such request' : 'no request';
    if (listed.length === 0) notify(`${which} in the sandbox "${remote.sandbox}"; --sandbox names another one`);
  }
}

const lastOf = (entries: readonly JournalEntry[], tail = entries.length): readonly JournalEntry[] =>
  entries.slice(Math.max(0, entries.length - tail));

async function readOrWarn(remote: Remote, filters: Filters): Promise<readonly JournalEntry[]> {
  const { requests, dropped } = await readJournal(remote, filters);
  if (dropped > 0) notify(`${dropped} earlier requests are no longer in the journal`);
  return requests;
}

type Print = (entry: JournalEntry) => void;

async function follow(remote: Remote, filters: Filters, print: Print, tail?: number): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  // The reader of the output has gone.
  process.stdout.once('error', () => stop.abort());
  try {
    // Connects before it lists, so that no request is missed; those in both are printed once.
    const live = await followRequests(remote, stop.signal, notify);
    const listed = (await readOrWarn(remote, filters)).filter(({ completed }) => completed);
    const printed = new Set(listed.map(({ id }) => id));
    for (const entry of lastOf(listed, tail)) print(entry);
    const isWanted = (entry: JournalEntry) => matches(filters, { ...entry, body: undefined });
    for await (const entry of live) if (entry.completed && !printed.has(entry.id) && isWanted(entry)) print(entry);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

const notify = (sentence: string): void => void process.stderr.write(`sachet: ${sentence}\n`);
