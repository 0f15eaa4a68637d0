// Prints the table when all rows are measured. With UPDATE_DOCS it writes it into docs/explanation/reliability.md, too.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';
import { table } from '../docs/tables/table.ts';
import { type Figure, isShort, rows } from './figure.ts';

const page = fileURLToPath(new URL('../../docs/explanation/reliability.md', import.meta.url));
const markers = /(?<=<!-- figures -->\n)[\s\S]*(?=<!-- \/figures -->)/;

type Row = Omit<Figure, 'row'> & { readonly row?: Figure['row'] };

export class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const told = modules.flatMap(rowsOf);
    const text = `${machine()}\n\n${tableOf(told)}\n`;
    process.stdout.write(`\n${text}\n`);
    if (told.some(({ skipped }) => skipped) && !isShort) fail('A skipped row counts as a failure in the long form.');
    if (process.env.UPDATE_DOCS) writePage(text, told);
  }
}

function writePage(text: string, told: readonly Row[]): void {
  const isWhole = rows.every((name) => told.some(({ row, skipped }) => row === name && !skipped));
  const before = readFileSync(page, 'utf8');
  if (isShort || !isWhole)
    fail('Nothing written: docs/explanation/reliability.md has the long form with all its rows.');
  else if (!markers.test(before))
    fail('Nothing written: docs/explanation/reliability.md has no markers around its table.');
  else
    writeFileSync(
      page,
      before.replace(markers, () => `\n${text}\n`),
    );
}

function fail(words: string): void {
  process.stderr.write(`${words}\n`);
  process.exitCode = 1;
}

/** The rows of a module's tests. A test that failed without a row gets one. */
function rowsOf(module: TestModule): Row[] {
  return Array.from(module.children.allTests()).flatMap((test): Row[] => {
    const { state, errors } = test.result();
    const { figures = [] } = test.meta();
    if (figures.length > 0 || state === 'skipped' || state === 'pending') return figures;
    const words = errors?.[0]?.message.split('\n')[0] ?? 'no figure was measured';
    return [{ done: test.fullName, wanted: '', measured: '', faults: [words] }];
  });
}

function tableOf(told: readonly Row[]): string {
  const place = ({ row }: Row) => (row === undefined ? rows.length : rows.indexOf(row));
  const sorted = [...told].sort((one, other) => place(one) - place(other));
  return table(
    ['load', 'expected', 'measured', 'met'],
    sorted.map((row) => [row.done, row.wanted, row.measured, metOf(row)]),
  );
}

function metOf({ faults, skipped }: Row): string {
  if (skipped) return `skipped: ${skipped}`;
  return faults.length === 0 ? 'yes' : `**no**: ${faults.join('; ')}`;
}

function machine(): string {
  const form = isShort ? 'Short form, scaled down; do not quote these figures. ' : '';
  const model = cpus()[0]?.model.trim() ?? 'an unknown processor';
  return `${form}Measured on ${new Date().toISOString().slice(0, 10)}: Node ${process.version}, ${availableParallelism()} cores (${model}).`;
}
