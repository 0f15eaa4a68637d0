// The pages of the console, and the addresses of everything it serves.

/** A change in a sandbox: a call was answered, the state changed, the requests were cleared. */
export type SandboxEvent = 'request' | 'state' | 'cleared';

/**
 * In the order of the navigation, under the heading `group`. An open page fetches its content again after each event in
 * `refreshOn`.
 */
export const pages = {
  start: { title: 'Start here', group: '', refreshOn: ['state', 'request', 'cleared'] },
  requests: { title: 'Live requests', group: 'Traffic', refreshOn: ['request', 'cleared'] },
  conduct: { title: 'Conduct', group: 'Traffic', refreshOn: ['request', 'state', 'cleared'] },
  orders: { title: 'Orders', group: 'Data', refreshOn: ['state'] },
  fulfillments: { title: 'Fulfillments', group: 'Data', refreshOn: ['state'] },
  catalog: { title: 'Catalog and packaging', group: 'Data', refreshOn: ['state'] },
  switches: { title: 'Switches and faults', group: 'Control', refreshOn: ['state', 'request', 'cleared'] },
  scenarios: { title: 'Scenarios', group: 'Control', refreshOn: ['state', 'request', 'cleared'] },
  clock: { title: 'Clock', group: 'Control', refreshOn: ['state', 'request', 'cleared'] },
  assumptions: { title: 'Assumptions', group: 'Control', refreshOn: ['state', 'request', 'cleared'] },
  fidelity: { title: 'Fidelity', group: 'Control', refreshOn: ['state'] },
  sandboxes: { title: 'Sandboxes', group: 'Control', refreshOn: ['state'] },
} as const satisfies Record<string, { title: string; group: string; refreshOn: readonly SandboxEvent[] }>;

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
/** The item of the page of orders that is a form for a new one. */
export const newOrderItem = 'new';
export const newOrderAt = (sandbox: string): string => `_new-order/${sandbox}`;
export const sendAgainAt = (sandbox: string, id: string): string => `_again/${sandbox}/${encodeURIComponent(id)}`;
export const newSandboxAt = (sandbox: string): string => `_new/${sandbox}`;
export const recordingAt = (sandbox: string): string => `_recording/${sandbox}`;
/** @param params the path parameters of the operation, except `sandbox` */
export const operationAt = (
  sandbox: string,
  operation: string,
  params: Readonly<Record<string, string>> = {},
): string => {
  const query = new URLSearchParams(params).toString();
  return `_do/${sandbox}/${operation}${query && `?${query}`}`;
};
