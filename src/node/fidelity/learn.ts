// `sachet learn`: finds in recordings of the service which choices it made. Opens no connection.
import { Learner } from '../../fidelity/learner.ts';
import { Redactor } from '../../journal/redaction.ts';
import { randomSecret } from '../../system/random.ts';
import { nodeHashes } from '../platform.ts';
import { readHarFiles } from './har-files.ts';
import { prepareReport, type ReportFlags } from './report.ts';

export interface LearnFlags extends ReportFlags {
  readonly baseUrl?: string;
}

/**
 * Returns whether the answers contradict nothing in the contract.
 * @throws UsageError; ConfigError for a faulty config; Error for a file that is not a complete HAR of the service
 */
export async function runLearnCommand(files: readonly string[], flags: LearnFlags): Promise<boolean> {
  const finish = prepareReport('learn', flags);
  const { calls, incomplete } = await readHarFiles(files, flags.baseUrl);
  const learner = new Learner(new Redactor(nodeHashes, randomSecret()));
  for (const { call, source } of calls) learner.add(call, source);
  const report = learner.report();
  const skipped = { ...report.skipped, ...(incomplete > 0 && { 'the recording has no complete entry': incomplete }) };
  return finish({ ...report, calls: report.calls + incomplete, skipped });
}
