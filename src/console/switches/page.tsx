// Switches and scenarios.
import type { Visit } from '../visit.ts';

export async function switchesPage(_visit: Visit) {
  return <h1>Switches and scenarios</h1>;
}
