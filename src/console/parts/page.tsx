// The way from page to page.
import type { Child } from 'hono/jsx';
import { pageAt } from '../addresses.ts';
import { type PageId, pageIds, pages } from '../pages.ts';

interface NavigationProps {
  readonly sandbox: string;
  readonly page: PageId;
}

export const Navigation = ({ sandbox, page }: NavigationProps) => (
  <nav id="pages" aria-label="Pages">
    <ul>
      {pageIds.map((id) => (
        <li>
          <a href={pageAt(sandbox, id)} aria-current={id === page ? 'page' : undefined}>
            {pages[id].title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

// What stands where there is nothing to show: why, and what would bring something.

interface EmptyProps {
  readonly title: string;
  readonly children?: Child;
}

export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <p>
      <b>{title}</b>
    </p>
    {children}
  </div>
);

// A name and what it is, in a list of facts.

export const Fact = ({ name, children }: { readonly name: string; readonly children: Child }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

// A table's frame: its caption, the titles of its columns, and the rows within.

interface TableProps {
  readonly titles: readonly string[];
  /** What it holds; not needed where a heading says so. */
  readonly caption?: string;
  /** Whether the caption is seen, not only heard. */
  readonly isCaptionSeen?: boolean;
  readonly class?: string;
  /** Whether it is scrolled sideways by the keyboard: where nothing in it takes the focus. */
  readonly isScrolled?: boolean;
  /** Attributes of its body, for what runs in the page. */
  readonly body?: Readonly<Record<string, string | number>>;
  readonly children: Child;
}

export function Table({
  titles,
  caption,
  isCaptionSeen = false,
  isScrolled = false,
  body,
  children,
  ...given
}: TableProps) {
  return (
    <div class="table" tabindex={isScrolled ? 0 : undefined}>
      <table class={given.class}>
        {caption !== undefined && <caption class={isCaptionSeen ? undefined : 'unseen'}>{caption}</caption>}
        <thead>
          <tr>
            {titles.map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody {...body}>{children}</tbody>
      </table>
    </div>
  );
}

// The way from page to page of a list whose newest stand first, and the page that is asked for.

/** Records on a page. */
export const pageRows = 50;

/** How many records are looked at for a page, where only some are shown. */
export const mostLooked = 2000;

/** The sequence number in `?before=`; undefined where there is none. */
export function beforeOf(query: URLSearchParams): number | undefined {
  const text = query.get('before') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

interface PageRowsProps {
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

export function Pager({ sandbox, page, before, isFirst, isCut = false, filter = {} }: PageRowsProps) {
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

// How many there are, in words.

/** @example counted(1, 'call'); // '1 call', of 2: '2 calls' */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

// Long texts of callers, cut to what a list has room for.

/** At most so many characters of a text, with `…` for those that are left out. */
export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
