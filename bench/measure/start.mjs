// From the start of the process to the first answer.
import { performance } from 'node:perf_hooks';
import { alternate, summarize } from '../load/alternate.mjs';
import { call } from '../load/call.mjs';
import { startRaw, startSachet } from '../servers/start.mjs';

export async function measureStart({ pinning, settings }) {
  const runs = await alternate(
    settings.starts,
    () => timeStart(() => startSachet(pinning)),
    () => timeStart(() => startRaw(pinning)),
  );
  return { start: { unit: 'ms', ...summarize(runs) } };
}

async function timeStart(start) {
  const began = performance.now();
  const server = await start();
  try {
    await call(`${server.url}/health`);
    return performance.now() - began;
  } finally {
    await server.stop();
  }
}
