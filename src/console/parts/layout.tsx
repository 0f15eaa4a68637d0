// The parts that every page is made of: its head, links, tables, facts, filters; and fragments as responses.
import { type Child, createContext, type JSX, useContext } from 'hono/jsx';
import type { Markup } from '../../http/markup.ts';
import type { ServiceResponse } from '../../http/response.ts';
import { pageAt } from '../page-addresses.ts';

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

interface HeadProps {
  /** For people: `Order`, not an id. */
  readonly title: string;
  /** The id of the item that the page shows, small below the title. */
  readonly id?: Child;
  /** One line: what the page is for. */
  readonly description?: Child;
  /** The status and the actions, at the right; the most important action last. */
  readonly children?: Child;
}

/** The head of a page: the first element of its section. */
export const Head = ({ title, id, description, children }: HeadProps) => (
  <div class="page-head">
    <div>
      <h1>
        {title}
        {id && [' ', <span class="id">{id}</span>]}
      </h1>
      {description && <p>{description}</p>}
    </div>
    {children && <div class="row">{children}</div>}
  </div>
);

/** A name and its value, for `<dl class="facts">`. */
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

/** Dense rows of `<tr>`, with one `<th scope="row">` each. On a phone, the cells of a row wrap. */
export const Table = ({ titles, caption, isFocusable, bodyId, children }: TableProps) => (
  <div class="table" tabindex={isFocusable ? 0 : undefined}>
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

interface LabeledSelectProps extends SelectProps {
  readonly label: string;
  /** Whether only screen readers get the label. */
  readonly isUnseen?: boolean;
}

export const LabeledSelect = ({ label, isUnseen, ...select }: LabeledSelectProps) => (
  <label for={select.id}>
    {isUnseen ? <span class="unseen">{label}</span> : label} <Select {...select} />
  </label>
);

/** A filter of a list; an empty value selects everything. */
export const FilterSelect = (select: Omit<LabeledSelectProps, 'id' | 'isUnseen'>) => (
  <LabeledSelect id={`filter-${select.name}`} isUnseen {...select} />
);

/** The search field of a list, with the query parameter `q`. The key `/` goes there (browser/shortcuts.js). */
export const FilterSearch = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <label>
    <span class="unseen">{label}</span>
    <input type="search" id="filter-text" name="q" value={text} placeholder={label} aria-keyshortcuts="/" />
  </label>
);

/** What the search field has. */
export const searchedText = (query: URLSearchParams): string => (query.get('q') ?? '').trim();

/** Whether one of the texts has the searched one, in any case. */
export function includesText(texts: Iterable<string | null | undefined>, searched: string): boolean {
  const part = searched.toLowerCase();
  return part === '' || [...texts].some((text) => text?.toLowerCase().includes(part));
}

/** A page with the filled ones of these parameters, for `PageLink`. */
export function pageWith(page: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '')).toString();
  return query ? `${page}?${query}` : page;
}

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

/** At most the first `max` of them. */
export function firstOf<T>(all: Iterable<T>, max: number): T[] {
  const first: T[] = [];
  for (const one of all) if (first.push(one) === max) break;
  return first;
}
