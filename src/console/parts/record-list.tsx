// A list of orders or of packages of all brands, newest first, page by page.
import type { Child } from 'hono/jsx';
import type { RecordOf } from '../../contract/records.ts';
import { newestRecords } from '../../sandbox/records.ts';
import type { State } from '../../state/state.ts';
import { counted, FilterForm, FilterSelect, Head, PageLink, Table } from './layout.tsx';
import { Ago } from './time.tsx';

type ListName = 'orders' | 'fulfillments';

const maxRows = 50;
/** The most records that a filtered page examines. */
const maxExamined = 2000;

/** A text to search for, in lower case, and a status; empty for any. */
export interface RecordFilter {
  readonly q: string;
  readonly status: string;
}

/** @param statuses the known ones; any other status in the query counts as none */
export function recordFilter(query: URLSearchParams, statuses: Iterable<string>): RecordFilter {
  const status = query.get('status') ?? '';
  return { q: (query.get('q') ?? '').trim().toLowerCase(), status: [...statuses].includes(status) ? status : '' };
}

/** Whether one of the texts has the searched one. */
export const includesText = (texts: Iterable<string | null | undefined>, { q }: RecordFilter): boolean =>
  q === '' || [...texts].some((text) => text?.toLowerCase().includes(q));

export const isFiltered = ({ q, status }: RecordFilter): boolean => q !== '' || status !== '';

/** The records before the sequence number in `?before=`, and how many the collection has. */
export function recordPage<Name extends ListName>(
  state: State,
  name: Name,
  query: URLSearchParams,
  isWanted: (record: RecordOf<Name>) => boolean = () => true,
) {
  const text = query.get('before') ?? '';
  const before = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const page = newestRecords(state, name, { before, limit: maxRows, maxExamined, isWanted });
  return { name, page, isFirst: before === undefined, total: state.table(name).size };
}

interface RecordListProps<Name extends ListName> extends ReturnType<typeof recordPage<Name>> {
  readonly title: string;
  readonly description: Child;
  /** For the count. */
  readonly noun: string;
  /** The text of the link to a record; the full id is its tooltip. */
  readonly nameOf: (record: RecordOf<Name>) => string;
  /** Titles of the columns between the name and the time of creation. */
  readonly titles: readonly string[];
  /** The cells of these columns. */
  readonly cells: (record: RecordOf<Name>) => Child;
  /** Shown for an empty list. */
  readonly empty: Child;
  /** The query that all pages of the list share. */
  readonly filter: RecordFilter;
  /** The names of the statuses, by id. */
  readonly statuses: Readonly<Record<string, string>>;
  /** What the search finds, for its placeholder. */
  readonly searched: string;
  /** The action of the page, at the right of its title. */
  readonly children?: Child;
}

export const RecordList = <Name extends ListName>({
  name,
  page: { records, before, isCut },
  isFirst,
  total,
  title,
  description,
  noun,
  nameOf,
  titles,
  cells,
  empty,
  filter,
  statuses,
  searched,
  children,
}: RecordListProps<Name>) => {
  const linkTo = (query: Readonly<Record<string, string>>): string => {
    const fields = Object.entries({ ...filter, ...query }).filter(([, value]) => value !== '');
    const search = new URLSearchParams(fields).toString();
    return search ? `${name}?${search}` : name;
  };
  return (
    <section>
      <Head title={title} description={description}>
        <span class="muted">{counted(total, noun)}</span>
        {children}
      </Head>
      <FilterForm>
        <label>
          <span class="unseen">{searched}</span>
          <input type="search" id="filter-text" name="q" value={filter.q} placeholder={searched} />
        </label>
        <FilterSelect
          name="status"
          label="Status"
          options={{ '': 'Any status', ...statuses }}
          selected={filter.status}
        />
      </FilterForm>
      {records.length === 0 ? (
        empty
      ) : (
        <Table caption={`${title}, newest first`} titles={[title.slice(0, -1), ...titles, 'Created']}>
          {records.map((record) => (
            <tr id={`${name.slice(0, -1)}-${record.id}`}>
              <th scope="row" class="id nowrap">
                <PageLink to={name} item={record.id} title={record.id}>
                  {nameOf(record)}
                </PageLink>
              </th>
              {cells(record)}
              <td class="nowrap">
                <Ago at={record.created_at} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {isCut && (
        <p class="muted">
          This page searched {maxExamined.toLocaleString('en')} {name}. Older ones may match, too.
        </p>
      )}
      {!(isFirst && before === undefined) && (
        <nav class="row" aria-label="Pages of the list">
          {!isFirst && <PageLink to={linkTo({})}>Newest</PageLink>}
          {before !== undefined && (
            <PageLink to={linkTo({ before: String(before) })}>{isCut ? 'Search older' : 'Older'}</PageLink>
          )}
        </nav>
      )}
    </section>
  );
};
