// `sachet learn`: finds in recordings of the service which choices it made. Opens no connection.
import type { LearnedReport } from '../../contract/observations.ts';
import { Learner } from '../../fidelity/learner.ts';
import { Redactor } from '../../journal/redaction.ts';
import { randomSecret } from '../../system/random.ts';
import { type Outputs, prepareOutputs } from '../cli/results.ts';
import { loadConfig } from '../load-files.ts';
import { nodeHashes } from '../platform.ts';
import { printable } from '../printable.ts';
import { readHarFiles } from './har-files.ts';
import { casesOfReport, checkConfigFile, textOfReport, withEarlier, writeConfig } from './report.ts';

export interface LearnFlags extends Outputs {
  readonly baseUrl?: string;
  /** The file of an earlier config. */
  readonly config?: string;
  /** The file for the new one. */
  readonly out: string;
}

/**
 * Returns whether the answers contradict nothing in the contract.
 * @throws UsageError; ConfigError for a faulty config; Error for a file that is not a complete HAR of the service
 */
export async function runLearnCommand(files: readonly string[], flags: LearnFlags): Promise<boolean> {
  const { baseUrl, config, out } = flags;
  const earlier = config === undefined ? undefined : loadConfig(config);
  checkConfigFile(out);
  const print = prepareOutputs(flags);
  const { report, contradicted } = withEarlier(await learnFrom(files, baseUrl), earlier);
  const text = `${textOfReport(report)}\nConfig: ${printable(out)}\n`;
  print({ suite: 'sachet learn', cases: casesOfReport(report, 'sachet.learn'), document: report, text });
  for (const sentence of contradicted) process.stderr.write(`sachet: ${sentence}\n`);
  writeConfig(out, report, earlier);
  return report.findings.length === 0;
}

async function learnFrom(files: readonly string[], baseUrl: string | undefined): Promise<LearnedReport> {
  const { calls, incomplete } = await readHarFiles(files, baseUrl);
  const learner = new Learner(new Redactor(nodeHashes, randomSecret()));
  for (const { call, source } of calls) learner.add(call, source);
  const report = learner.report();
  if (incomplete === 0) return report;
  const skipped = { ...report.skipped, 'the recording has no complete entry': incomplete };
  return { ...report, calls: report.calls + incomplete, skipped };
}
