// Clock.
import type { Visit } from '../visit.ts';

export async function clockPage(_visit: Visit) {
  return <h1>Clock</h1>;
}
