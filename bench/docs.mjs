// Writes what was measured into the README and the picture beside it: node bench/docs.mjs FILE..., files of `--json`.
import { readFileSync, writeFileSync } from 'node:fs';
import { merged } from './report/merged.mjs';
import { picture } from './report/picture.mjs';
import { withSpeed } from './report/readme.mjs';

const readmeFile = new URL('../README.md', import.meta.url);
const pictureFile = new URL('../docs/bench.svg', import.meta.url);

function main(files) {
  if (files.length === 0) throw new Error('usage: node bench/docs.mjs FILE...');
  const report = merged(files.map((file) => JSON.parse(readFileSync(file, 'utf8'))));
  const [readme, svg] = [withSpeed(readFileSync(readmeFile, 'utf8'), report), picture(report)];
  writeFileSync(readmeFile, readme);
  writeFileSync(pictureFile, svg);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
