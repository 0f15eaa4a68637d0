// npm run bench: compares the built Sachet with plain servers, in turn, and prints one table of ratios.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rows } from './rows.mjs';
import { pinning, requireTools } from './server-process.mjs';
import { formatRow, isMissedBy, tableHead } from './table.mjs';
import { writeFixtures } from './workload.mjs';

const usage = `Usage: npm run bench -- [options]
  --quick          run two short rounds; fail if a ratio, a count or the heap misses its goal by more than a factor of 4
  --only ID,ID     run only these rows: ${rows.map(({ id }) => id).join(', ')}
  --against DIR    also compare with the build in another checkout
  --peers          also compare with Prism (installs it into a temporary folder)
  --store URL      also measure with this database, which must be empty
  --write          write the table into docs/explanation/performance.md`;

const full = { rounds: 7, seconds: 3, warmUpSeconds: 10, starts: 15 };
const quick = { rounds: 2, seconds: 1, warmUpSeconds: 2, starts: 3 };
const page = fileURLToPath(new URL('../docs/explanation/performance.md', import.meta.url));
const tolerance = 4;

async function main() {
  const options = readOptions();
  requireTools();
  const folder = mkdtempSync(join(tmpdir(), 'sachet-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFixtures(folder);
  const settings = { ...(options.quick ? quick : full), ...options, folder };
  const lines = [describe(settings), '', ...tableHead];
  for (const line of lines) console.log(line);
  const failures = [];
  for (const row of options.rows) {
    for (const [at, result] of (await row.measure(settings)).entries()) {
      const goal = at === 0 ? row : { goal: result.goal };
      lines.push(formatRow(goal, result));
      console.log(lines.at(-1));
      if (options.quick && !row.isTime && isMissedBy(tolerance, goal, result)) failures.push(result.label);
    }
  }
  if (options.write) writeTable(lines.join('\n'));
  for (const label of failures) console.error(`bench: missed the goal by more than a factor of ${tolerance}: ${label}`);
  process.exit(failures.length === 0 ? 0 : 1);
}

function readOptions() {
  const flag = { type: 'boolean', default: false };
  const text = { type: 'string' };
  const options = { quick: flag, only: text, against: text, peers: flag, store: text, write: flag, help: flag };
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const ids = values.only?.split(',') ?? rows.map(({ id }) => id);
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined) throw new Error(`Unknown row "${unknown}" in --only.\n${usage}`);
  for (const checkout of ['.', values.against ?? '.']) {
    const cli = join(checkout, 'dist/cli.js');
    if (!existsSync(cli)) throw new Error(`${cli} is missing. Run npm run build in that folder first.`);
  }
  return { ...values, rows: rows.filter(({ id }) => ids.includes(id)) };
}

function describe({ rounds, seconds, warmUpSeconds }) {
  const machine = `${cpus()[0].model}, ${availableParallelism()} cores, Node ${process.version}`;
  const load = `wrk with 50 connections, ${rounds} rounds of ${seconds} s in turn, each server after ${warmUpSeconds} s of warm-up`;
  return `${machine}; ${pinning}; ${load}.`;
}

function writeTable(table) {
  const text = readFileSync(page, 'utf8');
  const markers = /(<!-- bench -->)[\s\S]*(<!-- \/bench -->)/;
  if (!markers.test(text))
    throw new Error(`${page} needs the markers <!-- bench --> and <!-- /bench --> around the table`);
  writeFileSync(
    page,
    text.replace(markers, (_, start, end) => `${start}\n${table}\n${end}`),
  );
}

main().catch((error) => {
  console.error(`bench: ${error.message}`);
  process.exit(1);
});
