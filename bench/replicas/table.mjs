// What was measured of several servers, as a table.
import { formatCount, formatNumber } from '../report/numbers.mjs';

const wanted = 1.2;

export function tableOf({ machine, rates, growth }) {
  const { cpu, cores, node } = machine;
  const lines = rates.map(({ who, sandboxes, value }) => {
    const of = rates.find((row) => row.who === 'memory' && row.sandboxes === sandboxes).value.median;
    const { median, min, max } = value;
    const share = `${(median / of).toFixed(2)} of memory`;
    return `| ${who} | ${formatCount(sandboxes)} | ${formatNumber(median)} (${formatNumber(min)} to ${formatNumber(max)}) | ${share} |`;
  });
  const { median, min, max } = growth.value;
  return [
    `Node ${node}, ${cores} cores (${cpu}), PostgreSQL and load on the same machine.`,
    '',
    '| who | sandboxes | orders per second | |',
    '| --- | --- | --- | --- |',
    ...lines,
    '',
    `An order in a sandbox of ${formatCount(growth.many)} orders costs ${median.toFixed(2)} times as much as in one of ${formatCount(growth.few)} (${min.toFixed(2)} to ${max.toFixed(2)}); wanted: at most ${wanted}.`,
  ].join('\n');
}
