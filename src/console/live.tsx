// What happens in a sandbox, as it happens: lines of JSON in an answer that does not end.
import { fragmentHeaders } from './fragment.ts';
import { Teller } from './teller.tsx';
import type { Visit } from './visit.ts';

const headers = { ...fragmentHeaders, 'content-type': 'application/x-ndjson; charset=utf-8' };

/** With `rows` in the query it brings the rows of requests that pass the query's filter, too. */
export async function live(visit: Visit): Promise<Response> {
  if (visit.request.method === 'HEAD') return new Response(null, { headers });
  visit.sandbox.feed.requireRoom();
  let teller: Teller | undefined;
  const lines = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        teller = new Teller(controller, visit);
      },
      pull: () => teller?.asked(),
      cancel: () => teller?.leave(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  return new Response(lines, { headers });
}
