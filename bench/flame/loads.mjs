// The loads that a flame graph is drawn of: what is asked, of which fixtures, and the request.
import { productCount } from '../measure/products.mjs';
import { bearer } from '../service/client.mjs';
import { acceptedOrder, orderRequest } from '../service/order.mjs';

export const loads = {
  orders: {
    words: 'POST /v2/orders',
    fixtures: {},
    requestFor: async (server, token) => orderRequest(token, await acceptedOrder(server, token)),
  },
  products: {
    words: `GET /v2/products, ${productCount} of them`,
    fixtures: { products: productCount },
    requestFor: (_, token) => ({ path: '/v2/products', headers: bearer(token) }),
  },
};
