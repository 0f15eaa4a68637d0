// Orders.
import type { Visit } from '../visit.ts';

export async function ordersPage(_visit: Visit) {
  return <h1>Orders</h1>;
}
