// Sachet against the raw server under one load: orders echoed, and reads answered with the same content.
import { call } from '../load/call.mjs';
import { compareRates } from '../load/compare.mjs';
import { withServers } from '../servers/children.mjs';
import { startRaw, startSachet } from '../servers/start.mjs';
import { logIn } from '../service/client.mjs';
import { watchJournal } from '../service/journal.mjs';

/**
 * Starts both, and compares them by what `prepare(sachet, token)` gives.
 * @param flags of Sachet
 * @param prepare gives `{ requests, rawRequests?, given?, check }`: the load, that of the raw server where it is another, what the raw server
 *   answers (`{ way, body }`), and a check of Sachet's answers, which is made before the load and behind it
 */
export function againstRaw(context, flags, prepare) {
  const starts = [() => startSachet(context.pinning, flags), () => startRaw(context.pinning)];
  // Fresh servers for each measurement, so that one's heap does not weigh on the next.
  return withServers(starts, async (sachet, raw) => {
    const token = await logIn(sachet);
    const { requests, given, check } = await prepare(sachet, token);
    if (given) await giveRaw(raw, given);
    await check();
    const journal = await watchJournal(sachet, token);
    const sides = [sachet, raw].map((server) => ({ server, requests }));
    const figures = await compareRates(context, ...sides);
    context.journals.push(await journal(requests));
    await check();
    return figures;
  });
}

/** Tells the raw server what to answer, and in which of its ways. @throws where it answers anything else. */
async function giveRaw(raw, { way, body }) {
  await call(raw.url, { method: 'PUT', headers: { 'content-type': 'application/json', 'x-serve': way }, body });
  const expected = way === 'rotate' ? JSON.stringify(JSON.parse(body)[0]) : body;
  const { body: answered } = await call(raw.url);
  if (answered !== expected) throw new Error('the raw server does not answer what it was given');
}
