// What stands on each page, by the page's path.
import { ControlRefusal } from '../contract/admin/control-operation.ts';
import type { ServiceResponse } from '../http/exchange.ts';
import type { Markup } from '../http/html-page.ts';
import { assumptionsPage } from './assumptions/page.tsx';
import { catalogPage } from './catalog/page.tsx';
import { clockPage } from './clock/page.tsx';
import { conductPage } from './conduct/page.tsx';
import { fragment } from './fragment.ts';
import { fulfillmentPage, fulfillmentsPage } from './fulfillments/page.tsx';
import { orderPage } from './orders/one.tsx';
import { ordersPage } from './orders/page.tsx';
import { type ListId, type PageId, pageIn } from './pages.ts';
import { requestPage } from './requests/one.tsx';
import { requestsPage } from './requests/page.tsx';
import { startPage } from './start/page.tsx';
import { switchesPage } from './switches/page.tsx';
import type { Visit } from './visit.ts';

type Shown = Markup | Promise<Markup>;

const ofPage: Readonly<Record<PageId, (visit: Visit) => Shown>> = {
  requests: requestsPage,
  switches: switchesPage,
  clock: clockPage,
  orders: ordersPage,
  fulfillments: fulfillmentsPage,
  catalog: catalogPage,
  conduct: conductPage,
  assumptions: assumptionsPage,
  start: startPage,
};

/** The pages of one of what a page lists, by its id. */
const ofOne: Readonly<Record<ListId, (visit: Visit, id: string) => Shown>> = {
  requests: requestPage,
  orders: orderPage,
  fulfillments: fulfillmentPage,
};

export async function content(visit: Visit): Promise<ServiceResponse> {
  const { page: path = '' } = visit.params;
  const page = pageIn(path);
  if (!page) throw new ControlRefusal(404, `The console has no page ${path.slice(0, 80)}`);
  return fragment(await (page.one === undefined ? ofPage[page.id](visit) : ofOne[page.id](visit, page.one)));
}
