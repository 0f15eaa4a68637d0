// Prints the table when all rows are measured. With UPDATE_DOCS it also writes the table into docs/explanation/reliability.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';
import { table } from '../docs/tables/table.ts';
import { isShort, type Row, rowNames } from './row.ts';

const page = fileURLToPath(new URL('../../docs/explanation/reliability.md', import.meta.url));
const markers = /(?<=<!-- figures -->\n)[\s\S]*(?=<!-- \/figures -->)/;

/** A row of a test, or a test that failed before it reported one. */
type Result = Omit<Row, 'name'> & { readonly name?: Row['name'] };

export class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = modules.flatMap(resultsOf);
    const text = `${machine()}\n\n${tableOf(results)}\n`;
    process.stdout.write(`\n${text}\n`);
    if (results.some(({ skipped }) => skipped) && !isShort) fail('A skipped row counts as a failure in the long form.');
    if (process.env.UPDATE_DOCS) writePage(text, results);
  }
}

function resultsOf(module: TestModule): Result[] {
  return Array.from(module.children.allTests()).flatMap((test): Result[] => {
    const { state, errors } = test.result();
    const { rows = [] } = test.meta();
    if (rows.length > 0 || state === 'skipped' || state === 'pending') return rows;
    const error = errors?.[0]?.message.split('\n')[0] ?? 'nothing was measured';
    return [{ load: test.fullName, expected: '', measured: '', faults: [error] }];
  });
}

function tableOf(results: readonly Result[]): string {
  const place = ({ name }: Result) => (name ? rowNames.indexOf(name) : rowNames.length);
  const sorted = results.toSorted((one, other) => place(one) - place(other));
  return table(
    ['load', 'expected', 'measured', 'met'],
    sorted.map((row) => [row.load, row.expected, row.measured, metOf(row)]),
  );
}

function metOf({ faults, skipped }: Result): string {
  if (skipped) return `skipped: ${skipped}`;
  return faults.length === 0 ? 'yes' : `**no**: ${faults.join('; ')}`;
}

function machine(): string {
  const form = isShort ? 'Short form, scaled down; do not quote these figures. ' : '';
  const model = cpus()[0]?.model.trim() ?? 'an unknown processor';
  return `${form}Measured on ${new Date().toISOString().slice(0, 10)}: Node ${process.version}, ${availableParallelism()} cores (${model}).`;
}

function writePage(text: string, results: readonly Result[]): void {
  const isComplete = rowNames.every((row) => results.some(({ name, skipped }) => name === row && !skipped));
  if (isShort || !isComplete) fail('Nothing written: reliability.md needs the long form with all of its rows.');
  else
    writeFileSync(
      page,
      readFileSync(page, 'utf8').replace(markers, () => `\n${text}\n`),
    );
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
