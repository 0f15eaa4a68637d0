// Where the console's parts stand, relative to its own path. A sandbox's name never begins with an underscore.

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
