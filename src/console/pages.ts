// The console's pages, in the order of its navigation, and where its parts stand, relative to its own path.

/** What happens in a sandbox: a call was answered, its state changed, its requests were forgotten. */
export type Happening = 'request' | 'state' | 'cleared';

interface PageNamed {
  readonly title: string;
  /** What it is looked at again for. */
  readonly follows: readonly Happening[];
}

export const pages = {
  requests: { title: 'Live requests', follows: ['cleared'] },
  switches: { title: 'Switches and scenarios', follows: ['state', 'request', 'cleared'] },
  clock: { title: 'Clock', follows: ['state', 'request', 'cleared'] },
  orders: { title: 'Orders', follows: ['state'] },
  fulfillments: { title: 'Fulfillments', follows: ['state'] },
  catalog: { title: 'Catalog and packaging', follows: ['state'] },
  conduct: { title: 'Conduct', follows: ['request', 'state', 'cleared'] },
  assumptions: { title: 'Assumptions', follows: ['state', 'request', 'cleared'] },
  start: { title: 'Start here', follows: ['state'] },
} as const satisfies Record<string, PageNamed>;

export type PageId = keyof typeof pages;
export const pageIds = Object.keys(pages) as PageId[];

/** Pages that show one of what they list, by its id. */
const lists = ['requests', 'orders', 'fulfillments'] as const satisfies readonly PageId[];
export type ListId = (typeof lists)[number];

/** A page's path is its id, or that and the id of one of what it lists: `orders/1b2c`. */
export type PagePath = { readonly id: PageId; readonly one: undefined } | { readonly id: ListId; readonly one: string };

/** undefined for the path of no page. */
export function pageIn(path: string): PagePath | undefined {
  const [name, one, ...more] = path.split('/');
  const page = pageIds.find((known) => known === name);
  const list = lists.find((known) => known === name);
  if (more.length > 0 || one === '') return undefined;
  if (one === undefined) return page && { id: page, one };
  return list && { id: list, one };
}

/** What a request is for. */
type Purpose = 'entry' | 'shell' | 'asset' | 'top' | 'content' | 'act' | 'live' | 'sampleOrder';

export interface ConsoleRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly to: Purpose;
}

/** In the order in which they are tried. Shells, redirections and assets are public and hold no data; the others need the key. */
export const consoleRoutes: readonly ConsoleRoute[] = [
  { method: 'GET', path: '', to: 'entry' },
  { method: 'GET', path: '/', to: 'entry' },
  { method: 'GET', path: '/_assets/:name', to: 'asset' },
  { method: 'GET', path: '/_top/:sandbox', to: 'top' },
  { method: 'GET', path: '/_content/:sandbox/:page{.+}', to: 'content' },
  { method: 'GET', path: '/_live/:sandbox', to: 'live' },
  { method: 'POST', path: '/_do/:sandbox/:operation', to: 'act' },
  { method: 'POST', path: '/_order/:sandbox', to: 'sampleOrder' },
  { method: 'GET', path: '/:sandbox', to: 'entry' },
  { method: 'GET', path: '/:sandbox/', to: 'entry' },
  { method: 'GET', path: '/:sandbox/:page{.+}', to: 'shell' },
];

// Written into pages, these are relative to the console's own path, which is the pages' base URL: they hold behind a proxy's prefix, too.

export const assetAt = (name: string): string => `_assets/${name}`;
/** Where the console's parts stand, relative to its own path. A sandbox's name never begins with an underscore. */
export const topAt = (sandbox: string): string => `_top/${sandbox}`;
/** @param page with its query, such as `requests?q=ORD`; `one` is the id of one of what the page lists */
export const pageAt = (sandbox: string, page: string, one?: string): string =>
  [sandbox, page, ...(one === undefined ? [] : [encodeURIComponent(one)])].join('/');
export const contentAt = (sandbox: string, page: string, one?: string): string =>
  `_content/${pageAt(sandbox, page, one)}`;
export const liveAt = (sandbox: string): string => `_live/${sandbox}`;
export const sampleOrderAt = (sandbox: string): string => `_order/${sandbox}`;
/** @param names those in the operation's path, but for the sandbox's */
export const actAt = (sandbox: string, operation: string, names: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams(names).toString();
  return `_do/${sandbox}/${operation}${query && `?${query}`}`;
};
