// Entry of the benchmark: measures Sachet beside others, holds each figure against its goal, and tells all of it.
import { writeFileSync } from 'node:fs';
import { connectionCount } from './load/rate.mjs';
import { describeMachine, pinThisProcess } from './machine.mjs';
import { measureAll } from './measure-all.mjs';
import { readOptions, usage } from './options.mjs';
import { failuresOf } from './report/failures.mjs';
import { formatReport } from './report/text.mjs';
import { needDist } from './servers/start.mjs';

async function main() {
  const { settings, isQuick, jsonFile, measurements } = readOptionsOrExit();
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

function readOptionsOrExit() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    process.exit(2);
  }
}

main().catch((error) => {
  console.error(`bench failed: ${error.message}`);
  process.exit(1);
});
