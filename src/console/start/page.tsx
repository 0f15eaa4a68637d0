// Start here.
import type { Visit } from '../visit.ts';

export async function startPage(_visit: Visit) {
  return <h1>Start here</h1>;
}
