// The console's pages, in the order of its navigation.

/** What happens in a sandbox: a call was answered, its state changed, its requests were forgotten. */
export type Happening = 'request' | 'state' | 'cleared';

export interface PageNamed {
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
