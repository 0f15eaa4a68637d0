// Entry of the benchmark of several servers over one database: orders per second beside those of a server in memory, and what an order costs
// in a sandbox that has grown.
import { writeFileSync } from 'node:fs';
import { readArguments, runCommand, UsageError } from './command.mjs';
import { describeMachine } from './machine.mjs';
import { needWritable } from './options.mjs';
import { measureGrowth } from './replicas/growth.mjs';
import { measureOrderRates } from './replicas/order-rates.mjs';
import { tableOf } from './replicas/table.mjs';
import { needDist } from './servers/start.mjs';

const usage = `usage: npm run bench:replicas -- --store URL [--json FILE] [--quick]
  --store URL  a database of PostgreSQL that nothing else uses meanwhile, and that holds nothing of worth
  --json FILE  write all figures there
  --quick      short rounds and a small sandbox, to see that it works: no figures to quote`;

const long = { rounds: 3, roundSeconds: 6, warmUpSeconds: 4, connections: 24, sandboxes: 100, grown: 100_000 };
const quick = { ...long, rounds: 1, roundSeconds: 1, warmUpSeconds: 0.5, sandboxes: 10, grown: 1000 };
const few = 100;

async function main(args) {
  const { values } = readArguments(args, {
    store: { type: 'string' },
    json: { type: 'string' },
    quick: { type: 'boolean', default: false },
  });
  if (values.store === undefined) throw new UsageError('no database is named by --store');
  if (values.json !== undefined) needWritable(values.json);
  needDist();
  const settings = values.quick ? quick : long;
  const context = { settings, store: values.store };
  const report = {
    machine: describeMachine({}),
    settings,
    rates: await measureOrderRates(context),
    growth: await measureGrowth(context, few),
  };
  console.log(tableOf(report));
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

runCommand(usage, main);
