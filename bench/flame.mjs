// Draws where the server's processor time goes under a load, as flame graphs beside the documents: node bench/flame.mjs [orders|products...].
import { writeFileSync } from 'node:fs';
import { loads } from './flame/loads.mjs';
import { needPerf, record } from './flame/record.mjs';
import { flameGraph } from './flame/svg.mjs';
import { folded } from './flame/tree.mjs';
import { pinThisProcess } from './machine.mjs';
import { needDist } from './servers/start.mjs';

async function main(names) {
  const unknown = names.find((name) => !Object.hasOwn(loads, name));
  if (unknown !== undefined) throw new Error(`there is no load "${unknown}": ${Object.keys(loads).join(', ')}`);
  needDist();
  needPerf();
  const pinning = pinThisProcess();
  for (const name of names) {
    process.stderr.write(`recording ${name}\n`);
    const stacks = await record(pinning, loads[name]);
    const about = `${loads[name].words}, ${stacks.length.toLocaleString('en-US')} samples, Node ${process.version}`;
    writeFileSync(new URL(`../docs/flame-${name}.svg`, import.meta.url), flameGraph(folded(stacks), about));
  }
}

const asked = process.argv.slice(2);
main(asked.length > 0 ? asked : Object.keys(loads)).catch((error) => {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
});
