// The parts that every page is made of: links, headings, tables, lists of facts, pagers; and fragments as responses.
import { type Child, createContext, type JSX, useContext } from 'hono/jsx';
import type { Markup } from '../../http/markup.ts';
import type { ServiceResponse } from '../../http/response.ts';
import { contentAt, pageAt } from '../page-addresses.ts';

const SandboxContext = createContext('');

/** The name of the page's sandbox, for components that link to it or change it. */
export const useSandbox = (): string => useContext(SandboxContext);

/** The children must be synchronous: concurrent renders of hono/jsx share one context. */
export const InSandbox = ({ name, children }: { readonly name: string; readonly children: Child }) => (
  <SandboxContext.Provider value={name}>{children}</SandboxContext.Provider>
);

/** Not to be stored: fragments hold the data of a sandbox. */
export const fragmentHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
};

/** A part of a page as a response; htmx puts it in its place. */
export const fragment = (
  sandbox: string,
  markup: Markup,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> | undefined } = {},
): ServiceResponse => ({
  kind: 'page',
  status,
  headers: { ...fragmentHeaders, ...headers },
  body: String(<InSandbox name={sandbox}>{markup}</InSandbox>),
});

type LinkProps = Omit<JSX.IntrinsicElements['a'], 'href'> & {
  /** A page of the sandbox; may have a query. */
  readonly to: string;
  /** The id of an item of that page. */
  readonly item?: string | undefined;
};

export const PageLink = ({ to, item, children, ...attributes }: LinkProps) => (
  <a href={pageAt(useSandbox(), to, item)} {...attributes}>
    {children}
  </a>
);

/** A link that opens a request in a dialog over the current page. */
export const RequestDialogLink = ({ id, children }: { readonly id: string; readonly children: Child }) => (
  <PageLink
    to="requests"
    item={id}
    hx-get={contentAt(useSandbox(), 'requests', id)}
    hx-target="#request-dialog-content"
  >
    {children}
  </PageLink>
);

/** Shown for an empty list: why it is empty, and how to fill it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: Child }) => (
  <article>
    <p>
      <b>{title}</b>
    </p>
    {children && <p>{children}</p>}
  </article>
);

/** The heading of a page, with the id of the item that it shows, and tools at the right. */
export const Head = ({ title, id, children }: { title: string; id?: string; children?: Child }) => (
  <div class="head">
    <h1>
      {title}
      {id && [' ', <span class="id">{id}</span>]}
    </h1>
    {children && <div class="row">{children}</div>}
  </div>
);

export const Fact = ({ name, children }: { readonly name: string; readonly children: Child }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

interface TableProps {
  readonly titles: readonly string[];
  /** For screen readers. */
  readonly caption?: string;
  /** Set it if nothing in the table takes the focus: then the keyboard can scroll it sideways. */
  readonly isFocusable?: boolean;
  readonly bodyId?: string;
  readonly children: Child;
}

export const Table = ({ titles, caption, isFocusable, bodyId, children }: TableProps) => (
  <div class="overflow-auto" tabindex={isFocusable ? 0 : undefined}>
    <table>
      {caption && <caption class="unseen">{caption}</caption>}
      <thead>
        <tr>
          {titles.map((title) => (
            <th scope="col">{title}</th>
          ))}
        </tr>
      </thead>
      <tbody id={bodyId}>{children}</tbody>
    </table>
  </div>
);

interface SelectProps {
  readonly id: string;
  readonly name: string;
  /** The text of each value. */
  readonly options: Readonly<Record<string, string>>;
  readonly selected?: string;
}

export const Select = ({ id, name, options, selected }: SelectProps) => (
  <select id={id} name={name}>
    {Object.entries(options).map(([value, text]) => (
      <option value={value} selected={value === selected}>
        {text}
      </option>
    ))}
  </select>
);

/** A filter of a list; an empty value selects everything. */
export const FilterSelect = ({ label, ...select }: Omit<SelectProps, 'id'> & { readonly label: string }) => (
  <label for={`filter-${select.name}`}>
    <span class="unseen">{label}</span>
    <Select id={`filter-${select.name}`} {...select} />
  </label>
);

/** The form around the filters of a list; browser/page.js applies them at once. */
export const FilterForm = ({ children }: { readonly children: Child }) => (
  <search>
    <form id="filter" class="row" autocomplete="off" data-filter>
      {children}
    </form>
  </search>
);

/** @example counted(1, 'call'); // '1 call', of 2: '2 calls' */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;

/** The first `max` characters of a text; `…` replaces the rest. */
export const truncate = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text);
