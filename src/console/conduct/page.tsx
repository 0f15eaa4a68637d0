// Conduct.
import type { Visit } from '../visit.ts';

export async function conductPage(_visit: Visit) {
  return <h1>Conduct</h1>;
}
