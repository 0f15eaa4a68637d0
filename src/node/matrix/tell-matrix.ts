// A matrix as the command runs and tells it.
import { junitDocument, prepareJunit, writeJunit } from '../junit.ts';
import { plainOutput } from '../plain-output.ts';
import { beforeEnd } from '../process-groups.ts';
import { worldOf } from '../world-flags.ts';
import { matrixCases, matrixDocument } from './document.ts';
import type { MatrixFlags } from './matrix-flags.ts';
import { Progress } from './progress.ts';
import { FirstRunError, type MatrixReport } from './results.ts';
import { type MatrixTask, runMatrix } from './run-matrix.ts';
import { matrixTable } from './table.ts';
import { turnsFrom } from './turns.ts';

/** @throws FirstRunError, whose output is printed already; UsageError. */
export async function tellMatrix(command: readonly string[], flags: MatrixFlags): Promise<void> {
  const world = worldOf(flags);
  const turns = turnsFrom(world.readings, flags.only);
  prepareJunit(flags.junit, flags.json);
  const report = await reportOf({ world, turns, command, variables: flags.env }, flags);
  if (flags.junit !== undefined) writeJunit(flags.junit, junitDocument('sachet matrix', matrixCases(report)));
  if (flags.json) process.stdout.write(`${JSON.stringify(matrixDocument(report))}\n`);
  else if (flags.junit !== true) process.stdout.write(matrixTable(report, flags.output));
  if (report.results.some(({ passed }) => !passed)) process.exitCode = 1;
}

type Given = Pick<MatrixTask, 'world' | 'turns' | 'command' | 'variables'>;

async function reportOf(given: Given, { all, parallel, timeout: timeoutSeconds }: MatrixFlags): Promise<MatrixReport> {
  const progress = new Progress();
  const onSilence = () => {
    progress.clear();
    process.stderr.write(`sachet: ${silence}\n`);
  };
  // A signal ends Sachet from elsewhere, and between two runs likewise.
  process.once('exit', progress.clear);
  const release = beforeEnd(async () => undefined);
  try {
    return await runMatrix({ ...given, all, parallel, timeoutSeconds, progress, onSilence });
  } catch (error) {
    progress.clear();
    if (error instanceof FirstRunError && error.output) process.stderr.write(`${plainOutput(error.output)}\n`);
    throw error;
  } finally {
    release();
    process.removeListener('exit', progress.clear);
    progress.clear();
  }
}

const silence =
  'the command sent no request to the server; point it at SACHET_BASE_URL, or give the variable that it reads by --env NAME=base_url';
