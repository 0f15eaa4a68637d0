// One of them.
import type { Visit } from '../visit.ts';

export async function orderPage(_visit: Visit, id: string) {
  return <h1>{id}</h1>;
}
