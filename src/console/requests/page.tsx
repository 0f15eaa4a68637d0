// Live requests: what the sandbox received, newest first; new ones come as they happen.
import type { Entry } from '../../control/journal/entry.ts';
import { pageAt } from '../addresses.ts';
import { Action } from '../parts/action.tsx';
import { Empty } from '../parts/empty.tsx';
import { Table } from '../parts/table.tsx';
import type { Visit } from '../visit.ts';
import { type Filter, filterOf, isAll, isShown } from './filter.ts';
import { FilterForm } from './filter-form.tsx';
import { RequestRow } from './row.tsx';

/** Rows on the page, also while more come. */
const maxRows = 100;

export function requestsPage({ sandbox: { name, journal }, query }: Visit) {
  const filter = filterOf(query);
  const { entries, hasMore } = pageOf(journal.newestFirst(query.get('before') ?? undefined), filter);
  const isNewest = !query.has('before');
  return (
    <section>
      <div class="head">
        <h1>Live requests</h1>
        <div class="tools">
          <span id="live-state" class="live-state" role="status">
            {isNewest ? 'connecting' : 'older requests'}
          </span>
          <button type="button" class="small outline" id="pause" data-pause aria-pressed="false" hidden={!isNewest}>
            Pause
          </button>
          <Action
            sandbox={name}
            of="requests.clear"
            label="Clear"
            about="the requests"
            done="Requests and conduct forgotten"
            confirm="Forget all requests of this sandbox, and the conduct judged by them?"
            quiet
          />
        </div>
      </div>
      <search>
        <FilterForm filter={filter} />
      </search>
      <Requests entries={entries} sandbox={name} />
      {entries.length === 0 && <Nothing filter={filter} sandbox={name} />}
      <p class="pager">
        {!isNewest && <a href={pageAt(name, `requests${search(filter)}`)}>Newest</a>}
        {hasMore && <a href={pageAt(name, `requests${search(filter, entries.at(-1)?.id)}`)}>Older</a>}
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

const Requests = ({ entries, sandbox }: { readonly entries: readonly Entry[]; readonly sandbox: string }) => (
  <Table
    class="requests"
    caption="Requests, newest first"
    titles={['Time', 'Method', 'Path', 'Answer', 'Rule', 'Took', 'Caller']}
    body={{ id: 'rows', 'data-max-rows': maxRows }}
  >
    {entries.map((entry) => (
      <RequestRow entry={entry} sandbox={sandbox} />
    ))}
  </Table>
);

const Nothing = ({ filter, sandbox }: { readonly filter: Filter; readonly sandbox: string }) =>
  isAll(filter) ? (
    <Empty title="Nothing has called this sandbox yet.">
      <p>
        Point a client at it, or <a href={pageAt(sandbox, 'start')}>send a sample order</a>: it appears here at once.
      </p>
    </Empty>
  ) : (
    <Empty title="No request is like that.">
      <p>
        <a href={pageAt(sandbox, 'requests')}>Show all</a>, or wait: one that is will appear here.
      </p>
    </Empty>
  );
