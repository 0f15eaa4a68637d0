// Assumptions.
import type { Visit } from '../visit.ts';

export async function assumptionsPage(_visit: Visit) {
  return <h1>Assumptions</h1>;
}
