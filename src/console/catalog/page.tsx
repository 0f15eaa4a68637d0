// Catalog and packaging.
import type { Visit } from '../visit.ts';

export async function catalogPage(_visit: Visit) {
  return <h1>Catalog and packaging</h1>;
}
