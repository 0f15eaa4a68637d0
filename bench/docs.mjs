// Writes what was measured into the README and the picture beside it.
import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments, runCommand, UsageError } from './command.mjs';
import { merged } from './report/merged.mjs';
import { picture } from './report/picture.mjs';
import { readReport } from './report/read.mjs';
import { withSpeed } from './report/readme.mjs';

const root = new URL('../', import.meta.url);
const [readmePath, picturePath] = ['README.md', 'docs/bench.svg'];
const usage = `usage: npm run bench:docs -- FILE...
  FILE  of npm run bench -- --json FILE: of one machine, without --quick; their figures replace the table in
        ${readmePath}, section "Speed", and ${picturePath}`;

function main(args) {
  const { positionals: files } = readArguments(args);
  if (files.length === 0) throw new UsageError('no file is named');
  const report = merged(files.map(readReport));
  const readme = withSpeed(readFileSync(new URL(readmePath, root), 'utf8'), report);
  const svg = picture(report);
  writeFileSync(new URL(readmePath, root), readme);
  writeFileSync(new URL(picturePath, root), svg);
  console.log(`wrote ${readmePath}, ${picturePath}`);
}

runCommand(usage, main);
