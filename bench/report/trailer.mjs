// What a report ends with: the journals behind the loads, the machine, how it was measured, and what fails a run.
import { journalSize } from '../service/journal.mjs';
import { mostTries } from '../tries.mjs';
import { wideBound } from '../verdict.mjs';
import { signOf } from './figure.mjs';
import { formatCount, formatValue, percent } from './numbers.mjs';

export function trailerOf({ machine, isQuick, settings, figures, journals }) {
  return [...journals.map(journalLine), machineLine(machine), ...howLines(settings, figures), ruleOf(isQuick, figures)];
}

function journalLine({ measurement, kept, counted, fault }) {
  const room = kept < journalSize ? ': all that its room is for' : '';
  const held = `holds its last ${formatCount(kept)} calls of ${formatCount(counted)}${room}`;
  return `journal behind ${measurement}: ${fault ?? held}`;
}

export function machineLine({ cpu, cores, node, ...pinning }) {
  const pinned = pinning.pinned
    ? `servers on core ${pinning.serverCore}, load on core ${pinning.generatorCore}`
    : `not pinned (${pinning.reason})`;
  return `machine: ${cpu}, ${cores} cores, Node ${node}, ${pinned}`;
}

/** Each only where something was measured so. */
function howLines({ rounds, roundSeconds, warmUpSeconds, starts, connections }, figures) {
  const loads = figures.flatMap(({ generatorBusy }) => generatorBusy ?? []);
  const pairs = `${rounds} alternating rounds of ${roundSeconds} s`;
  const ofLoads = [
    `${pairs} after ${warmUpSeconds} s of warm-up, ${connections} connections`,
    `generator busy for at most ${percent(Math.max(...loads))} of a round`,
  ];
  return [
    ...(loads.length > 0 ? ofLoads : []),
    ...(figures.some(({ unit }) => unit === 'orders/s') ? [`in process: ${pairs}, one at a time`] : []),
    ...(figures.some(({ id, value }) => id === 'start' && value) ? [`start: ${starts} alternating starts`] : []),
  ];
}

function ruleOf(isQuick, figures) {
  const missed = 'a goal that is missed fails no run';
  const judged = figures.filter(({ bound, value }) => isQuick && bound !== undefined && value !== undefined);
  if (judged.length === 0) return missed;
  const bounds = judged.map((figure) => `${figure.id} ${signOf(figure)} ${formatValue(figure, wideBound(figure))}`);
  return `--quick fails where one of these does not hold in any of ${mostTries} measurements (bench/usual.mjs): ${bounds.join(', ')}; ${missed}`;
}
