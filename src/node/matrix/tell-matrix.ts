// A matrix as the command runs and tells it.
import { interruptible } from '../interruptible.ts';
import { plainOutput } from '../plain-output.ts';
import { prepareOutputs, tellResults } from '../report-files.ts';
import { settingOf } from '../serve-flags.ts';
import { matrixCases, matrixDocument } from './document.ts';
import type { MatrixFlags } from './matrix-flags.ts';
import { ProgressLine } from './progress.ts';
import { FirstRunError, type MatrixReport } from './results.ts';
import { type MatrixTask, runMatrix } from './run-matrix.ts';
import { matrixTable } from './table.ts';
import { turnsFrom } from './turns.ts';

/**
 * Whether it passes by every reading.
 * @throws FirstRunError, whose output is printed already; UsageError.
 */
export async function tellMatrix(command: readonly string[], flags: MatrixFlags): Promise<boolean> {
  const { env, all, parallel, timeout: timeoutSeconds } = flags;
  const setting = await settingOf(flags);
  const turns = turnsFrom(setting.readings, flags.only);
  prepareOutputs(flags);
  const report = await interruptible((signal) =>
    reportOf({ setting, turns, command, env, all, parallel, timeoutSeconds, signal }),
  );
  tellResults(flags, {
    suite: 'sachet matrix',
    cases: () => matrixCases(report),
    document: () => matrixDocument(report),
    text: () => matrixTable(report, flags.output),
  });
  return report.results.every(({ passed }) => passed);
}

async function reportOf(task: Omit<MatrixTask, 'progress' | 'onSilence'>): Promise<MatrixReport> {
  const progress = new ProgressLine();
  const onSilence = () => {
    progress.clear();
    process.stderr.write(`sachet: ${silence}\n`);
  };
  // A second signal waits for nothing.
  process.once('exit', progress.clear);
  try {
    return await runMatrix({ ...task, progress, onSilence });
  } catch (error) {
    progress.clear();
    if (error instanceof FirstRunError && error.output) process.stderr.write(`${plainOutput(error.output)}\n`);
    throw error;
  } finally {
    process.removeListener('exit', progress.clear);
    progress.clear();
  }
}

const silence =
  'the command sent no request to the server; point it at SACHET_BASE_URL, or give the variable that it reads by --env NAME=base_url';
