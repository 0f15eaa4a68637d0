// Resident memory: of a server that does nothing, beside the raw server's; and behind a million requests, beside its own at the beginning.
import { setTimeout as wait } from 'node:timers/promises';
import { alternate, spread, summarize } from '../load/alternate.mjs';
import { call } from '../load/call.mjs';
import { mixOf } from '../load/mix.mjs';
import { measureRate } from '../load/rate.mjs';
import { requestBytes } from '../load/request-bytes.mjs';
import { withServers } from '../servers/children.mjs';
import { residentMegabytes, rssUnavailable } from '../servers/process-figures.mjs';
import { startRaw, startSachet } from '../servers/start.mjs';
import { control, logIn } from '../service/client.mjs';
import { watchJournal } from '../service/journal.mjs';

const requestCount = 1_000_000;
const requestsBetweenResets = 10_000;
/** Of so many of the last readings the spread is told. */
const lastReadings = 10;

export async function measureIdle({ pinning, settings }) {
  if (rssUnavailable) return { unavailable: rssUnavailable };
  const runs = await alternate(
    settings.rounds,
    () => idleOf(settings, () => startSachet(pinning)),
    () => idleOf(settings, () => startRaw(pinning)),
  );
  return { idle: { unit: 'MB', ...summarize(runs) } };
}

/** A million requests, nine of ten are reads; the sandbox is reset every ten thousand, as between test runs. */
export function measureAfterLoad(context) {
  if (rssUnavailable) return { unavailable: rssUnavailable };
  const { pinning, settings } = context;
  return withServers([() => startSachet(pinning)], async (sachet) => {
    await call(`${sachet.url}/health`);
    await wait(settings.settleSeconds * 1000);
    const idle = residentMegabytes(sachet.pid);
    const readings = await readingsUnderLoad(context, sachet);
    const value = spread(readings.slice(-lastReadings).map((reading) => reading / idle));
    const after = readings.at(-1);
    const notes = [
      `one run, value behind its last request; spread over the last ${lastReadings} resets; most ${Math.max(...readings).toFixed(0)} MB`,
    ];
    const figure = {
      unit: 'MB',
      sachet: after,
      other: idle,
      value: { ...value, median: after / idle },
      runs: readings,
      notes,
    };
    return { afterLoad: figure };
  });
}

async function idleOf(settings, start) {
  const server = await start();
  try {
    await call(`${server.url}/health`);
    await wait(settings.settleSeconds * 1000);
    return residentMegabytes(server.pid);
  } finally {
    await server.stop();
  }
}

/** Megabytes behind each ten thousand requests; read before the journal is, whose entries as one text would count. */
async function readingsUnderLoad(context, sachet) {
  const token = await logIn(sachet);
  const requests = await mixOf(sachet, token);
  const bytes = requests.map((request) => requestBytes(sachet.url, request));
  const readings = [];
  const turns = requestCount / requestsBetweenResets;
  let checkJournal;
  for (let turn = 1; turn <= turns; turn += 1) {
    await control(sachet, 'POST', '/sandboxes/stage/reset');
    if (turn === turns) checkJournal = await watchJournal(sachet, token);
    const { answers } = await measureRate(sachet.url, bytes, { answers: requestsBetweenResets });
    readings.push(residentMegabytes(sachet.pid));
    sachet.sent = (sachet.sent ?? 0) + answers;
  }
  context.journals.push(await checkJournal(requests));
  return readings;
}
