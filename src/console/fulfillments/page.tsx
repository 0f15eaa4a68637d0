// Fulfillments.
import type { Visit } from '../visit.ts';

export async function fulfillmentsPage(_visit: Visit) {
  return <h1>Fulfillments</h1>;
}
