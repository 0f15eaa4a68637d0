// What pages are made of: the sandbox that they show, links, heads, tables, lists of facts, pagers.
import { type Child, createContext, type JSX, useContext } from 'hono/jsx';
import type { Markup } from '../../http/markup.ts';
import type { ServiceResponse } from '../../http/response.ts';
import { contentAt, pageAt } from '../pages.ts';

const SandboxContext = createContext('');

/** The name of the sandbox that is shown, for the components that link to it or change it. */
export const useSandbox = (): string => useContext(SandboxContext);

/** Its children must hold no promises: a context is the same for all that is rendered meanwhile. */
export const InSandbox = ({ name, children }: { readonly name: string; readonly children: Child }) => (
  <SandboxContext.Provider value={name}>{children}</SandboxContext.Provider>
);

/** Markup about a sandbox as HTML. */
export const rendered = (sandbox: string, markup: Markup): string =>
  String(<InSandbox name={sandbox}>{markup}</InSandbox>);

interface FragmentOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** They hold a sandbox's data, so nothing keeps them. */
export const fragmentHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
};

/** A part of a page as an answer: HTML that the shell puts in its place. */
export const fragment = (
  sandbox: string,
  markup: Markup,
  { status = 200, headers = {} }: FragmentOptions = {},
): ServiceResponse => ({
  kind: 'page',
  status,
  headers: { ...fragmentHeaders, ...headers },
  body: rendered(sandbox, markup),
});

type LinkProps = Omit<JSX.IntrinsicElements['a'], 'href'> & {
  /** A page of the sandbox, with its query; `one` is the id of one of what the page lists. */
  readonly to: string;
  readonly one?: string;
};

export const PageLink = ({ to, one, children, ...attributes }: LinkProps) => (
  <a href={pageAt(useSandbox(), to, one)} {...attributes}>
    {children}
  </a>
);

interface RequestInDrawerProps {
  readonly id: string;
  readonly class?: string;
  readonly children: Child;
}

/** A link to a request, which opens beside the page that it stands on. */
export const RequestInDrawer = ({ id, children, ...attributes }: RequestInDrawerProps) => (
  <PageLink
    to="requests"
    one={id}
    hx-get={contentAt(useSandbox(), 'requests', id)}
    hx-target="#drawer-content"
    {...attributes}
  >
    {children}
  </PageLink>
);

/** What stands where there is nothing to show: why, and what would bring something. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: Child }) => (
  <div class="empty">
    <p>
      <b>{title}</b>
    </p>
    {children}
  </div>
);

/** The head of a page: its title, of one of what is listed its id, and what stands at the other end of the line. */
export const Head = ({
  title,
  id,
  children,
}: {
  readonly title: string;
  readonly id?: string;
  readonly children?: Child;
}) => (
  <div class="head">
    <h1>
      {title}
      {id && [' ', <span class="id">{id}</span>]}
    </h1>
    {children}
  </div>
);

/** A name and what it is, in a list of facts. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: Child }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

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

export const Table = ({ titles, caption, isCaptionSeen, isScrolled, body, children, ...attributes }: TableProps) => (
  <div class="table" tabindex={isScrolled ? 0 : undefined}>
    <table class={attributes.class}>
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

interface PagerProps {
  readonly page: 'orders' | 'fulfillments';
  /** Where the next page begins; only where there is one. */
  readonly before: number | undefined;
  readonly isFirst: boolean;
  /** Whether the search ended at its bound. */
  readonly isCut?: boolean;
  /** What is kept from page to page. */
  readonly filter?: Readonly<Record<string, string>>;
}

export function Pager({ page, before, isFirst, isCut = false, filter = {} }: PagerProps) {
  if (isFirst && before === undefined) return null;
  const to = (more: Readonly<Record<string, string>>): string => {
    const query = new URLSearchParams({ ...filter, ...more }).toString();
    return query ? `${page}?${query}` : page;
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
        {!isFirst && <PageLink to={to({})}>Newest</PageLink>}
        {before !== undefined && (
          <PageLink to={to({ before: String(before) })}>{isCut ? 'Look further' : 'Older'}</PageLink>
        )}
      </nav>
    </>
  );
}

/** How many there are, in words. @example counted(1, 'call'); // '1 call', of 2: '2 calls' */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** At most so many characters of a text, with `…` for those that are left out. */
export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
