// Live requests: the requests that the sandbox received, newest first.
import { labelIdIn } from '../../contract/addresses.ts';
import type { Entry } from '../../journal/entry.ts';
import { type FirstCalls, loginCommand } from '../../sandbox/sample-calls.ts';
import type { State } from '../../state/state.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Action } from '../parts/action.tsx';
import { Empty } from '../parts/card.tsx';
import { DialogButton, RequestDialogLink } from '../parts/dialog.tsx';
import { OverrideName } from '../parts/labels.tsx';
import {
  counted,
  Fact,
  FilterForm,
  FilterSearch,
  FilterSelect,
  Head,
  includesText,
  PageLink,
  pageWith,
  searchedText,
  Table,
  truncate,
} from '../parts/layout.tsx';
import { EntryStatus, Rules } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import { firstCallsFor } from './code-samples.ts';

type Filter = {
  /** Matches part of the path, the query, the operation, a rule, a fault, the caller or the id. */
  readonly q: string;
  readonly method: string;
  readonly answer: string;
};

const methodOptions = { '': 'Any method', GET: 'GET', POST: 'POST', PATCH: 'PATCH', DELETE: 'DELETE', PUT: 'PUT' };
const answerOptions = {
  '': 'Any status',
  '2xx': 'Accepted (2xx)',
  '4xx': 'Rejected (4xx)',
  '5xx': 'Failed (5xx)',
  broken: 'Connection cut',
  faults: 'Affected by a fault',
};

export const filterOf = (query: URLSearchParams): Filter => ({
  q: searchedText(query),
  method: query.get('method') ?? '',
  answer: query.get('answer') ?? '',
});

export const matchesFilter = (entry: Entry, { q, method, answer }: Filter): boolean =>
  (method === '' || entry.method === method) &&
  (answer === '' || matchesAnswer(entry, answer)) &&
  includesText(textsOf(entry), q);

function matchesAnswer({ answer }: Entry, kind: string): boolean {
  if (!answer) return false;
  if (kind === 'faults') return answer.decision.faults.length > 0;
  if (kind === 'broken') return answer.status === null || answer.decision.isLost;
  return String(answer.status).charAt(0) === kind.charAt(0);
}

function textsOf({ id, path, query, operation, answer }: Entry) {
  const { rules = [], faults = [] } = answer?.decision ?? {};
  return [path + query, operation, answer?.caller, ...rules, ...faults, id];
}

/** The most rows on a page. */
const maxRows = 100;

export async function requestsPage(request: ConsoleRequest) {
  const { journal } = request.sandbox;
  const { query } = request;
  const filter = filterOf(query);
  const { entries, hasMore } = readEntries(journal.newestFirst(query.get('before') ?? undefined), filter);
  const last = entries.at(-1);
  const isNewest = !query.has('before');
  return request.read((state) => (
    <section>
      <Head
        title="Live requests"
        description="Every request that the sandbox receives, with the reason for its response."
      >
        {/* browser/live.js writes it. */}
        <span id="live-state" role="status" hx-morph-skip="true">
          connecting
        </span>
        <button type="button" class="quiet" id="pause" data-pause aria-pressed="false" hidden={!isNewest}>
          Pause
        </button>
        <DialogButton id="shortcuts" title="Keyboard shortcuts" label="? Shortcuts">
          <dl class="facts">
            {Object.entries(shortcuts).map(([keys, effect]) => (
              <Fact name={keys}>{effect}</Fact>
            ))}
          </dl>
        </DialogButton>
        <Action
          operation="requests.clear"
          label="Clear"
          about="the requests"
          done="Requests and conduct cleared"
          confirm="Clear all requests of this sandbox, and its conduct report?"
          quiet
        />
      </Head>
      <FilterForm>
        <FilterSearch label="Path, operation, rule, fault or caller" text={filter.q} />
        <FilterSelect name="method" label="Method" options={methodOptions} selected={filter.method} />
        <FilterSelect name="answer" label="Status" options={answerOptions} selected={filter.answer} />
      </FilterForm>
      {entries.length === 0 ? (
        <NoRequests filter={filter} calls={firstCallsFor(request, state)} />
      ) : (
        <Table
          caption="Requests, newest first"
          titles={['Time (UTC)', 'Method', 'Path', 'Status', 'Rule or fault', 'Duration', 'Caller']}
          bodyId="rows"
        >
          {entries.map((entry) => (
            <RequestRow entry={entry} state={state} />
          ))}
        </Table>
      )}
      <p class="row">
        {!isNewest && <PageLink to={pageWith('requests', filter)}>Newest</PageLink>}
        {hasMore && last && <PageLink to={pageWith('requests', { ...filter, before: last.id })}>Older</PageLink>}
        {journal.dropped > 0 && <small>{journal.dropped} older requests are no longer stored.</small>}
      </p>
    </section>
  ));
}

/** As browser/shortcuts.js says. */
const shortcuts = {
  j: 'Next request',
  k: 'Previous request',
  Enter: 'Open the request',
  Escape: 'Close the request',
  '/': 'Search',
  '?': 'This list',
};

function readEntries(newestFirst: Iterable<Entry>, filter: Filter): { entries: Entry[]; hasMore: boolean } {
  const entries: Entry[] = [];
  for (const entry of newestFirst) {
    if (!matchesFilter(entry, filter)) continue;
    if (entries.length === maxRows) return { entries, hasMore: true };
    entries.push(entry);
  }
  return { entries, hasMore: false };
}

/** Longer ones are cut in the list. The page of the request shows the whole target. */
const maxTarget = 200;
const maxLabelName = 40;

function RequestRow({ entry, state }: { readonly entry: Entry; readonly state: State }) {
  const { id, receivedAt, method, path, query, answer } = entry;
  const labelId = labelIdIn(path);
  const decision = answer?.decision;
  return (
    <tr id={`request-${id}`}>
      <td class="nowrap">
        <Instant at={new Date(receivedAt).toISOString()} format="milliseconds" />
      </td>
      <td>{method}</td>
      <th scope="row" class="target">
        <RequestDialogLink id={id}>
          {labelId === undefined ? truncate(path + query, maxTarget) : labelTitle(state, labelId, query)}
        </RequestDialogLink>
      </th>
      <td>
        <EntryStatus entry={entry} />
      </td>
      <td>
        <Rules rules={decision?.rules ?? []} />
        {decision?.faults.map((fault) => (
          <span class="broken" title="Affected by this switch or fault">
            {' '}
            <OverrideName id={fault} />
          </span>
        ))}
      </td>
      <td class="nowrap muted">{answer ? `${answer.durationMilliseconds.toFixed(1)} ms` : ''}</td>
      <td class="muted">{answer?.caller ?? ''}</td>
    </tr>
  );
}

/** The path and the signed query of a label fill several lines. @example 'label SO-50001 · 6 parameters' */
function labelTitle(state: State, id: string, query: string): string {
  const name = state.table('fulfillments').get(id)?.shipment_order_number ?? truncate(id, maxLabelName);
  return `label ${name} · ${counted(new URLSearchParams(query).size, 'parameter')}`;
}

interface NoRequestsProps {
  readonly filter: Filter;
  readonly calls: FirstCalls | undefined;
}

const NoRequests = ({ filter: { q, method, answer }, calls }: NoRequestsProps) =>
  q + method + answer === '' ? (
    <Empty title="Nothing has called this sandbox yet." call={calls && loginCommand(calls)}>
      Point a client at it, or <PageLink to="start">send a sample order</PageLink>: requests appear here at once. Demo
      data makes no requests.
    </Empty>
  ) : (
    <Empty title="No request matches the filter.">
      <PageLink to="requests">Show all</PageLink>, or wait: new requests that match appear here.
    </Empty>
  );
