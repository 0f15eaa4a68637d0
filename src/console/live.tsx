// What happens in a sandbox, as it happens: lines of JSON in an answer that does not end.
import { Teller } from './teller.tsx';
import type { Visit } from './visit.ts';

const headers = {
  'content-type': 'application/x-ndjson; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** With `rows` in the query it brings the rows of requests that pass the query's filter, too. */
export async function live(visit: Visit): Promise<Response> {
  if (visit.request.method === 'HEAD') return new Response(null, { headers });
  let stop = () => undefined as unknown;
  let teller: Teller | undefined;
  const lines = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        teller = new Teller(controller, visit, () => stop());
        stop = followed(visit, teller);
        if (teller.isOver) stop();
      },
      cancel: () => teller?.leave(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  return new Response(lines, { headers });
}

/** Gives what ends it. */
function followed({ sandbox }: Visit, teller: Teller): () => void {
  const ends = [sandbox.feed.listen(teller), sandbox.journal.onCleared(() => teller.note('cleared'))];
  return () => {
    for (const end of ends) end();
  };
}
