// The pages of the console, and the addresses of everything it serves.

/** A change in a sandbox: a call was answered, the state changed, the requests were cleared. */
export type SandboxEvent = 'request' | 'state' | 'cleared';

/** In the order of the navigation. An open page fetches its content again after each event in `refreshOn`. */
export const pages = {
  requests: { title: 'Live requests', refreshOn: ['request', 'cleared'] },
  switches: { title: 'Switches and scenarios', refreshOn: ['state', 'request', 'cleared'] },
  clock: { title: 'Clock', refreshOn: ['state', 'request', 'cleared'] },
  orders: { title: 'Orders', refreshOn: ['state'] },
  fulfillments: { title: 'Fulfillments', refreshOn: ['state'] },
  catalog: { title: 'Catalog and packaging', refreshOn: ['state'] },
  conduct: { title: 'Conduct', refreshOn: ['request', 'state', 'cleared'] },
  assumptions: { title: 'Assumptions', refreshOn: ['state', 'request', 'cleared'] },
  start: { title: 'Start here', refreshOn: ['state'] },
} as const satisfies Record<string, { title: string; refreshOn: readonly SandboxEvent[] }>;

export type PageId = keyof typeof pages;
export const pageIds = Object.keys(pages) as PageId[];

/** Lists whose items have a page of their own, at `orders/{id}`. */
const listIds = ['requests', 'orders', 'fulfillments'] as const satisfies readonly PageId[];
export type ListId = (typeof listIds)[number];

export type PagePath =
  | { readonly id: PageId; readonly item: undefined }
  | { readonly id: ListId; readonly item: string };

/** @returns undefined if no page has this path */
export function parsePagePath(path: string): PagePath | undefined {
  const [name, item, ...more] = path.split('/');
  if (more.length > 0 || item === '') return undefined;
  const page = pageIds.find((id) => id === name);
  const list = listIds.find((id) => id === name);
  if (item === undefined) return page && { id: page, item };
  return list && { id: list, item };
}

// Addresses are relative to the console's own path, the `<base>` of every page, so that they work behind a proxy's
// prefix. The names of parts begin with an underscore, which the name of a sandbox never does.

export const assetAt = (name: string): string => `_assets/${name}`;
export const topAt = (sandbox: string): string => `_top/${sandbox}`;
/** @param page may have a query, such as `requests?q=ORD` */
export const pageAt = (sandbox: string, page: string, item?: string): string =>
  [sandbox, page, ...(item === undefined ? [] : [encodeURIComponent(item)])].join('/');
export const contentAt = (sandbox: string, page: string, item?: string): string =>
  `_content/${pageAt(sandbox, page, item)}`;
export const liveAt = (sandbox: string): string => `_live/${sandbox}`;
export const sampleOrderAt = (sandbox: string): string => `_order/${sandbox}`;
/** @param params the path parameters of the operation, except `sandbox` */
export const operationAt = (
  sandbox: string,
  operation: string,
  params: Readonly<Record<string, string>> = {},
): string => {
  const query = new URLSearchParams(params).toString();
  return `_do/${sandbox}/${operation}${query && `?${query}`}`;
};
