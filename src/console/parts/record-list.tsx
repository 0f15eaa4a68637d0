// A list of orders or of packages of all brands, newest first, page by page.
import type { Child } from 'hono/jsx';
import type { RecordOf } from '../../contract/records.ts';
import { newestRecords } from '../../sandbox/records.ts';
import type { State } from '../../state/state.ts';
import { Empty } from './card.tsx';
import {
  counted,
  FilterForm,
  FilterSearch,
  FilterSelect,
  Head,
  includesText,
  PageLink,
  pageWith,
  searchedText,
  Table,
} from './layout.tsx';
import { Ago } from './time.tsx';

type ListName = 'orders' | 'fulfillments';

const maxRows = 50;
/** The most records that a filtered page examines. */
const maxExamined = 2000;

/** How a list is filtered. */
interface Filtering<Name extends ListName> {
  /** The names of the statuses, by id. Any other status in the query counts as none. */
  readonly statuses: Readonly<Record<string, string>>;
  readonly statusOf: (record: RecordOf<Name>) => string;
  /** What the search looks at. */
  readonly textsOf: (record: RecordOf<Name>) => Iterable<string | null | undefined>;
}

/** The records before the sequence number in `?before=` that match the filter, and how many the collection has. */
export function recordPage<Name extends ListName>(
  state: State,
  name: Name,
  query: URLSearchParams,
  { statuses, statusOf, textsOf }: Filtering<Name>,
) {
  const text = query.get('before') ?? '';
  const before = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const [q, status] = [searchedText(query), query.get('status') ?? ''];
  const filter = { q, status: Object.hasOwn(statuses, status) ? status : '' };
  const isWanted = (record: RecordOf<Name>): boolean =>
    (filter.status === '' || statusOf(record) === filter.status) && (q === '' || includesText(textsOf(record), q));
  const page = newestRecords(state, name, { before, limit: maxRows, maxExamined, isWanted });
  return { name, page, isFirst: before === undefined, total: state.table(name).size, filter, statuses };
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
  /** Shown for an empty collection. */
  readonly empty: Child;
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
  const isFiltered = filter.q !== '' || filter.status !== '';
  const noneHere = (
    <Empty title={isFiltered ? `No ${noun} matches the search.` : `No older ${noun}s.`}>
      <PageLink to={name}>Show all {noun}s</PageLink>
    </Empty>
  );
  return (
    <section>
      <Head title={title} description={description}>
        <span class="muted">{counted(total, noun)}</span>
        {children}
      </Head>
      <FilterForm>
        <FilterSearch label={searched} text={filter.q} />
        <FilterSelect
          name="status"
          label="Status"
          options={{ '': 'Any status', ...statuses }}
          selected={filter.status}
        />
      </FilterForm>
      {records.length === 0 ? (
        total === 0 ? (
          empty
        ) : (
          noneHere
        )
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
          {!isFirst && <PageLink to={pageWith(name, filter)}>Newest</PageLink>}
          {before !== undefined && (
            <PageLink to={pageWith(name, { ...filter, before: String(before) })}>
              {isCut ? 'Search older' : 'Older'}
            </PageLink>
          )}
        </nav>
      )}
    </section>
  );
};
