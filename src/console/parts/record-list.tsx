// A list of orders or of packages of all brands, newest first, page by page.
import type { Child } from 'hono/jsx';
import type { RecordOf } from '../../contract/records.ts';
import { newestRecords } from '../../sandbox/records.ts';
import type { State } from '../../state/state.ts';
import { counted, Head, PageLink, Table } from './layout.tsx';
import { Ago } from './time.tsx';

type ListName = 'orders' | 'fulfillments';

const maxRows = 50;
/** The most records that a filtered page examines. */
const maxExamined = 2000;

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
  /** Titles of the columns between the id and the time of creation. */
  readonly titles: readonly string[];
  /** The cells of these columns. */
  readonly cells: (record: RecordOf<Name>) => Child;
  /** Shown for an empty list. */
  readonly empty: Child;
  /** The query that all pages of the list share. */
  readonly filter?: Readonly<Record<string, string>>;
  /** The form of the filter. */
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
  titles,
  cells,
  empty,
  filter = {},
  children,
}: RecordListProps<Name>) => {
  const linkTo = (query: Readonly<Record<string, string>>): string => {
    const search = new URLSearchParams({ ...filter, ...query }).toString();
    return search ? `${name}?${search}` : name;
  };
  return (
    <section>
      <Head title={title} description={description}>
        <span class="muted">{counted(total, noun)}</span>
      </Head>
      {children}
      {records.length === 0 ? (
        empty
      ) : (
        <Table caption={`${title}, newest first`} titles={[title.slice(0, -1), ...titles, 'Created']}>
          {records.map((record) => (
            <tr id={`${name.slice(0, -1)}-${record.id}`}>
              <th scope="row" class="id">
                <PageLink to={name} item={record.id}>
                  {record.id}
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
