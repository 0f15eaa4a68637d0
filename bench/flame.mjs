// Draws where the server's processor time goes under a load, as flame graphs beside the documents.
import { writeFileSync } from 'node:fs';
import { readArguments, runCommand, UsageError } from './command.mjs';
import { loads } from './flame/loads.mjs';
import { needPerf, record } from './flame/record.mjs';
import { flameGraph } from './flame/svg.mjs';
import { folded } from './flame/tree.mjs';
import { pinThisProcess } from './machine.mjs';
import { needDist } from './servers/start.mjs';

const known = Object.keys(loads);
const usage = `usage: npm run bench:flame -- [NAME...]
  NAME  of a load, all without one: ${known.join(', ')}; its picture replaces docs/flame-NAME.svg. Needs perf, of Linux`;

async function main(args) {
  const { positionals: asked } = readArguments(args);
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`there is no load "${unknown}"`);
  needDist();
  needPerf();
  const pinning = pinThisProcess();
  for (const name of asked.length > 0 ? asked : known) await draw(pinning, name);
}

async function draw(pinning, name) {
  process.stderr.write(`recording ${name}\n`);
  const stacks = await record(pinning, loads[name]);
  const about = `${loads[name].words}, ${stacks.length.toLocaleString('en-US')} samples, Node ${process.version}`;
  const path = `docs/flame-${name}.svg`;
  writeFileSync(new URL(`../${path}`, import.meta.url), flameGraph(folded(stacks), about));
  console.log(`wrote ${path}`);
}

runCommand(usage, main);
