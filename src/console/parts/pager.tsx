// The way from page to page of a list whose newest stand first, and the page that is asked for.
import { pageAt } from '../addresses.ts';

/** Records on a page. */
export const pageRows = 50;

/** How many records are looked at for a page, where only some are shown. */
export const mostLooked = 2000;

/** The sequence number in `?before=`; undefined where there is none. */
export function beforeOf(query: URLSearchParams): number | undefined {
  const text = query.get('before') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

interface Props {
  readonly sandbox: string;
  readonly page: 'orders' | 'fulfillments';
  /** Where the next page begins; only where there is one. */
  readonly before: number | undefined;
  readonly isFirst: boolean;
  /** Whether the search ended at its bound. */
  readonly isCut?: boolean;
  /** What is kept from page to page. */
  readonly filter?: Readonly<Record<string, string>>;
}

export function Pager({ sandbox, page, before, isFirst, isCut = false, filter = {} }: Props) {
  if (isFirst && before === undefined) return null;
  const to = (more: Readonly<Record<string, string>>): string => {
    const query = new URLSearchParams({ ...filter, ...more }).toString();
    return pageAt(sandbox, query ? `${page}?${query}` : page);
  };
  return (
    <>
      {isCut && (
        <p class="muted">
          {mostLooked.toLocaleString('en')} {page} were looked through for this page; there are older ones, which may be
          like that, too.
        </p>
      )}
      <nav class="pager" aria-label="Pages of the list">
        {!isFirst && <a href={to({})}>Newest</a>}
        {before !== undefined && <a href={to({ before: String(before) })}>{isCut ? 'Look further' : 'Older'}</a>}
      </nav>
    </>
  );
}
