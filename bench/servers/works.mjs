// What a process that the benchmark starts does for it, over the process channel: one piece of work at a time.
import { performance } from 'node:perf_hooks';

/** Answers each message `{ work, ...input }` with what the work of that name tells, and says on standard output that it is ready. */
export function answerWorks(works) {
  process.on('message', async ({ work, ...input }) => {
    try {
      process.send(await works[work](input));
    } catch (error) {
      process.send({ error: String(error.stack ?? error) });
    }
  });
  process.once('SIGTERM', () => process.exit(0));
  process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
}

/** What one of so many turns takes. */
export async function microseconds(count, once) {
  const began = performance.now();
  for (let turn = 0; turn < count; turn += 1) await once(turn);
  return { microseconds: ((performance.now() - began) * 1000) / count };
}
