// Turns the figures into the plain text that the benchmark prints.
const header = ['', 'Sachet', 'raw', 'ratio (median, min–max)'];

export function formatReport({ machine, settings, measurements }) {
  const rows = [header, ...measurements.map(formatRow)];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column], column))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, '', formatMachine(machine), formatSettings(settings), formatGenerator(measurements)].join('\n');
}

function formatRow({ name, unit, sachet, raw, ratio }) {
  const digits = unit === 'ms' ? 1 : 0;
  const spread = `${ratio.median.toFixed(3)} (${ratio.min.toFixed(3)}–${ratio.max.toFixed(3)})`;
  return [`${name}, ${unit}`, formatNumber(sachet, digits), formatNumber(raw, digits), spread];
}

function formatMachine({ cpu, cores, node, ...pinning }) {
  const pinned = pinning.pinned
    ? `pinned: servers on core ${pinning.serverCore}, generator on core ${pinning.generatorCore}`
    : `not pinned (${pinning.reason})`;
  return `machine: ${cpu}, ${cores} cores, Node ${node}, ${pinned}`;
}

function formatSettings({ rounds, roundSeconds, starts, connections }) {
  return `${rounds} rounds of ${roundSeconds} s after one of warm-up, ${connections} connections; ${starts} starts`;
}

function formatGenerator(measurements) {
  const busy = Math.max(...measurements.map(({ generatorBusy = 0 }) => generatorBusy));
  return `generator busy for at most ${(busy * 100).toFixed(0)} % of a round`;
}

function formatNumber(value, digits) {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function pad(cell, width, column) {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
