// Entry of the benchmark: measures Sachet beside others, holds each figure against its goal, and tells all of it.
import { writeFileSync } from 'node:fs';
import { runCommand } from './command.mjs';
import { connectionCount } from './load/rate.mjs';
import { describeMachine, pinThisProcess } from './machine.mjs';
import { measureAll } from './measure-all.mjs';
import { needWritable, readOptions, usage } from './options.mjs';
import { failuresOf } from './report/failures.mjs';
import { formatReport } from './report/text.mjs';
import { needDist } from './servers/start.mjs';

async function main(args) {
  const { settings, isQuick, jsonFile, measurements } = readOptions(args);
  if (jsonFile !== undefined) needWritable(jsonFile);
  needDist();
  const pinning = pinThisProcess();
  const told = await measureAll({ pinning, settings, isQuick }, measurements);
  const report = {
    machine: describeMachine(pinning),
    isQuick,
    settings: { ...settings, connections: connectionCount },
    ...told,
  };
  console.log(formatReport(report));
  if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  const failures = failuresOf(report);
  for (const failure of failures) console.error(`bench: ${failure}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

runCommand(usage, main);
