// One of them.
import type { Visit } from '../visit.ts';

export async function fulfillmentPage(_visit: Visit, id: string) {
  return <h1>{id}</h1>;
}
