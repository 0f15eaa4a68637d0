// Compares the rates of two servers under the same load; one at a time is loaded.
import { performance } from 'node:perf_hooks';
import { atRest } from '../servers/at-rest.mjs';
import { processorSeconds } from '../servers/process-figures.mjs';
import { alternate, spread, summarize } from './alternate.mjs';
import { measureRate } from './rate.mjs';
import { requestBytes } from './request-bytes.mjs';

/**
 * Loads Sachet and the other in turn, each once the other is at rest; what a server does behind its own load counts as its own.
 * @param sachet `{ server, requests, before? }`, and so the other; requests as of `requestBytes`; `before` is awaited before each round
 * @returns the summary of `alternate.mjs` in requests/s, with `generatorBusy`, the generator's largest share of work in a round; and where
 *   processor time can be told `serverBusy`, each server's smallest share (well below 1, others had its core, or it waited), and
 *   `byProcessorTime`, the ratio of what each answers in a second of processor time
 */
export async function compareRates({ settings }, sachet, other) {
  const sides = [sachet, other].map((side) => ({ ...side, rounds: [] }));
  const [ofSachet, ofOther] = sides.map((side, at) => rateOf(side, sides[1 - at], settings));
  const summary = summarize(await alternate(settings.rounds, ofSachet, ofOther));
  const rounds = sides.map((side) => side.rounds);
  const generatorBusy = Math.max(...rounds.flat().map(({ busy }) => busy));
  return { unit: 'requests/s', ...summary, generatorBusy, ...processorFigures(...rounds) };
}

function processorFigures(sachet, other) {
  if ([...sachet, ...other].some(({ share }) => share === undefined)) return {};
  const least = (rounds) => Math.min(...rounds.map(({ share }) => share));
  const perProcessorSecond = ({ perSecond, share }) => perSecond / share;
  const ratios = sachet.map((round, at) => perProcessorSecond(round) / perProcessorSecond(other[at]));
  return { serverBusy: { sachet: least(sachet), other: least(other) }, byProcessorTime: spread(ratios) };
}

function rateOf({ server, requests, before, rounds }, other, { roundSeconds, warmUpSeconds }) {
  const bytes = requests.map((request) => requestBytes(server.url, request));
  return async (isWarmUp) => {
    await before?.();
    await atRest(other.server.pid);
    const shareOf = shareOfServer(server.pid);
    const seconds = isWarmUp ? (server.warmUpSeconds ?? warmUpSeconds) : roundSeconds;
    const { perSecond, busy, answers } = await measureRate(server.url, bytes, { seconds });
    server.sent = (server.sent ?? 0) + answers;
    if (!isWarmUp) rounds.push({ perSecond, busy, share: shareOf() });
    return perSecond;
  };
}

/** Notes the time; gives the share of it in which the server was at work since; undefined where that cannot be told. */
function shareOfServer(pid) {
  const [began, before] = [performance.now(), processorSeconds(pid)];
  return () => before && ((processorSeconds(pid) - before) * 1000) / (performance.now() - began);
}
