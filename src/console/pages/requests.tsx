// Live requests: what the sandbox received, newest first; new ones come as they happen.
import type { Entry } from '../../journal/entry.ts';
import { Action } from '../parts/action.tsx';
import { cut, Empty, Head, PageLink, RequestInDrawer, Table } from '../parts/page.tsx';
import { EntryStatus, Rules } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import type { Visit } from '../visit.ts';

/** Which of the requests a page shows. */
export interface Filter {
  /** A part of the path, the query, the operation, a rule, the caller or the id, in any case. */
  readonly text: string;
  readonly method: string;
  readonly answer: string;
}

/** The kinds of answers that can be asked for, with their words. */
const answers = {
  '2xx': 'accepted (2xx)',
  '4xx': 'refused (4xx)',
  '5xx': 'failed (5xx)',
  broken: 'connection broken',
  faults: 'met by a fault',
} as const;

export const filterOf = (query: URLSearchParams): Filter => ({
  text: (query.get('q') ?? '').trim().toLowerCase(),
  method: query.get('method') ?? '',
  answer: query.get('answer') ?? '',
});

const isAll = ({ text, method, answer }: Filter): boolean => text + method + answer === '';

export const isShown = (entry: Entry, { text, method, answer }: Filter): boolean =>
  (method === '' || entry.method === method) && (answer === '' || isAnswered(entry, answer)) && hasText(entry, text);

function isAnswered({ answer }: Entry, kind: string): boolean {
  if (!answer) return false;
  if (kind === 'faults') return answer.decision.faults.length > 0;
  if (kind === 'broken') return answer.status === null || answer.decision.isLost;
  return String(answer.status).charAt(0) === kind.charAt(0);
}

function hasText({ id, path, query, operation, answer }: Entry, text: string): boolean {
  if (text === '') return true;
  const { rules = [], faults = [] } = answer?.decision ?? {};
  const all = [path + query, operation, answer?.caller, ...rules, ...faults, id];
  return all.some((one) => one?.toLowerCase().includes(text));
}

const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'];

const FilterForm = ({ filter: { text, method, answer } }: { readonly filter: Filter }) => (
  <form id="filter" autocomplete="off" data-filter>
    <label>
      <span class="unseen">Path, operation, rule, fault or caller</span>
      <input
        type="search"
        id="filter-text"
        name="q"
        value={text}
        placeholder="Path, operation, rule, fault or caller"
      />
    </label>
    <label>
      <span class="unseen">Method</span>
      <select name="method" id="filter-method">
        <option value="">Any method</option>
        {methods.map((one) => (
          <option selected={one === method}>{one}</option>
        ))}
      </select>
    </label>
    <label>
      <span class="unseen">Answer</span>
      <select name="answer" id="filter-answer">
        <option value="">Any answer</option>
        {Object.entries(answers).map(([value, words]) => (
          <option value={value} selected={value === answer}>
            {words}
          </option>
        ))}
      </select>
    </label>
  </form>
);

/** Longer ones are cut in the list, and stand whole in the request. */
const maxTarget = 200;

/** One request in the list. */
export function RequestRow({ entry }: { readonly entry: Entry }) {
  const { id, receivedAt, method, path, query, answer } = entry;
  const decision = answer?.decision;
  return (
    <tr id={`request-${id}`}>
      <td class="time">
        <Instant at={new Date(receivedAt).toISOString()} form="milliseconds" />
      </td>
      <td class="method">{method}</td>
      <th scope="row" class="target">
        <RequestInDrawer id={id}>{cut(path + query, maxTarget)}</RequestInDrawer>
      </th>
      <td>
        <EntryStatus entry={entry} />
      </td>
      <td class="rules">
        <Rules rules={decision?.rules ?? []} />
        {decision?.faults.map((fault) => (
          <span class="fault" title="met by this fault or switch">
            {' '}
            {fault}
          </span>
        ))}
      </td>
      <td class="duration">{answer ? `${answer.durationMilliseconds.toFixed(1)} ms` : ''}</td>
      <td class="caller">{answer?.caller ?? ''}</td>
    </tr>
  );
}

/** Rows on the page, also while more come. */
const maxRows = 100;

export function requestsPage({ sandbox: { journal }, query }: Visit) {
  const filter = filterOf(query);
  const { entries, hasMore } = pageOf(journal.newestFirst(query.get('before') ?? undefined), filter);
  const isNewest = !query.has('before');
  return (
    <section>
      <Head title="Live requests">
        <div class="tools">
          <span id="live-state" class="live-state" role="status">
            {isNewest ? 'connecting' : 'older requests'}
          </span>
          <button type="button" class="small outline" id="pause" data-pause aria-pressed="false" hidden={!isNewest}>
            Pause
          </button>
          <Action
            of="requests.clear"
            label="Clear"
            about="the requests"
            done="Requests and conduct forgotten"
            confirm="Forget all requests of this sandbox, and the conduct judged by them?"
            quiet
          />
        </div>
      </Head>
      <search>
        <FilterForm filter={filter} />
      </search>
      <Table
        class="requests"
        caption="Requests, newest first"
        titles={['Time', 'Method', 'Path', 'Answer', 'Rule', 'Took', 'Caller']}
        body={{ id: 'rows', 'data-max-rows': maxRows }}
      >
        {entries.map((entry) => (
          <RequestRow entry={entry} />
        ))}
      </Table>
      {entries.length === 0 && <Nothing filter={filter} />}
      <p class="pager">
        {!isNewest && <PageLink to={`requests${search(filter)}`}>Newest</PageLink>}
        {hasMore && <PageLink to={`requests${search(filter, entries.at(-1)?.id)}`}>Older</PageLink>}
        {journal.dropped > 0 && <small>{journal.dropped} older requests are not kept any more.</small>}
      </p>
    </section>
  );
}

function pageOf(newestFirst: Iterable<Entry>, filter: Filter): { entries: Entry[]; hasMore: boolean } {
  const entries: Entry[] = [];
  for (const entry of newestFirst) {
    if (!isShown(entry, filter)) continue;
    if (entries.length === maxRows) return { entries, hasMore: true };
    entries.push(entry);
  }
  return { entries, hasMore: false };
}

function search({ text, method, answer }: Filter, before?: string): string {
  const given = Object.entries({ q: text, method, answer, before }).filter(([, value]) => value);
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query && `?${query}`;
}

const Nothing = ({ filter }: { readonly filter: Filter }) =>
  isAll(filter) ? (
    <Empty title="Nothing has called this sandbox yet.">
      <p>
        Point a client at it, or <PageLink to="start">send a sample order</PageLink>: it appears here at once.
      </p>
    </Empty>
  ) : (
    <Empty title="No request is like that.">
      <p>
        <PageLink to="requests">Show all</PageLink>, or wait: one that is will appear here.
      </p>
    </Empty>
  );
