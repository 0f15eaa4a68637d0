// A matrix for people: a line per reading, and beneath a failure where to look.
import { plainOutput } from '../plain-output.ts';
import { visible } from '../visible.ts';
import { failureOf, type MatrixReport, outcomeOfResult, type Result } from './results.ts';
import { summaryOf } from './summary.ts';

const head = ['assumption', 'reading', 'result'] as const;

/** @param withOutput whether to tell what each run that failed has printed */
export function matrixTable(report: MatrixReport, withOutput: boolean): string {
  const rows = [head, ...report.results.map(rowOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const [first = '', ...others] = lines;
  const told = report.results.flatMap((result, at) => [others[at] ?? '', ...detailOf(result)]);
  const outputs = withOutput ? report.results.flatMap(outputOf) : [];
  return `${[first, ...told, '', ...outputs, ...summaryOf(report)].join('\n')}\n`;
}

const rowOf = (result: Result): readonly string[] => [result.assumption, result.reading, outcomeOfResult(result)];

const detailOf = (result: Result): string[] => (result.passed ? [] : [`    ${visible(failureOf(result))}`]);

function outputOf({ passed, assumption, reading, run }: Result): string[] {
  if (passed || !run) return [];
  return [`What the run with ${assumption}=${reading} printed:`, '', plainOutput(run.output), ''];
}
