// Entry of the benchmark: measures Sachet against a raw node:http server and prints the three ratios.
import { writeFileSync } from 'node:fs';
import { connectionCount } from './load.mjs';
import { describeMachine, pinThisProcess } from './machine.mjs';
import { measureOrders, measureProducts, measureStarts } from './measurements.mjs';
import { readOptions, usage } from './options.mjs';
import { formatReport } from './table.mjs';

async function main() {
  const { settings, jsonFile } = readOptionsOrExit();
  const pinning = pinThisProcess();
  const measurements = [];
  for (const measure of [measureOrders, measureProducts, measureStarts]) {
    measurements.push(await measure(pinning, settings));
  }
  const machine = describeMachine(pinning);
  const report = { machine, settings: { ...settings, connections: connectionCount }, measurements };
  console.log(formatReport(report));
  if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
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
