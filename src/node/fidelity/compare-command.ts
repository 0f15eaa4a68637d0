// `sachet compare`: from the files to the printed report.
import { type Credentials, loginsIn, planReplay, type ReplayPlan } from '../../fidelity/replay.ts';
import { Redactor } from '../../journal/redaction.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { randomSecret } from '../../system/random.ts';
import type { prepareOutputs } from '../cli/results.ts';
import type { Setting } from '../cli/serve-flags.ts';
import { printableTable } from '../cli/table.ts';
import { interruptible } from '../client-process.ts';
import { nodeHashes } from '../platform.ts';
import { counted } from '../printable.ts';
import { compare } from './compare.ts';
import { compareCases, compareDocument, compareTable } from './compare-report.ts';
import { readHarFiles } from './har-files.ts';
import { type TargetOptions, targetSender } from './target.ts';

interface CompareTask extends Omit<TargetOptions, 'signal'> {
  readonly from: readonly string[];
  readonly baseUrl?: string;
  readonly given: Credentials | undefined;
  readonly allowWrites: boolean;
  readonly plan: boolean;
  readonly setting: Setting;
  readonly print: ReturnType<typeof prepareOutputs>;
}

const suite = 'sachet compare';

/** Returns whether all calls were compared, without a difference. @throws UsageError; TargetStopped */
export async function runCompareCommand(task: CompareTask): Promise<boolean> {
  const { target, from, baseUrl, given, setting, allowWrites, print } = task;
  const { calls, incomplete } = await readHarFiles(from, baseUrl);
  const { leftOut, ...planned } = planReplay(
    calls.map(({ call }) => call),
    allowWrites,
  );
  const unanswered = incomplete > 0 ? { 'the recording does not have their answers': incomplete } : {};
  const plan = { ...planned, leftOut: { ...leftOut, ...unanswered } };
  if (task.plan) {
    printPlan(plan, print);
    return true;
  }
  requireCalls(plan);
  if (given === undefined) requirePasswords(plan);
  const comparison = await interruptible((signal) =>
    compare(plan.calls, { send: targetSender({ ...task, signal }), given, setting }),
  );
  const document = compareDocument(target, comparison, plan, new Redactor(nodeHashes, randomSecret()));
  print({ suite, cases: compareCases(document), document, text: compareTable(document) });
  if (document.stopped !== null) process.stderr.write(`sachet: ${document.stopped}\n`);
  return document.different === 0 && document.stopped === null;
}

function printPlan({ calls, leftOut }: ReplayPlan, print: CompareTask['print']): void {
  const requests = calls.map(({ method, path, query }) => ({ method, path: path + query }));
  const left = Object.entries(leftOut).map(
    ([reason, count]) => `Left out: ${counted(count, 'call')}, because ${reason}`,
  );
  const text = printableTable(requests.map(({ method, path }) => [method, path]));
  const summary = [`${counted(calls.length, 'call')} would be sent`, ...left].join('\n');
  print({ suite, cases: [], document: { requests, left_out: leftOut }, text: `${text}\n${summary}\n` });
}

function requireCalls({ calls, leftOut }: ReplayPlan): void {
  if (calls.length > 0) return;
  const reasons = Object.entries(leftOut).map(([reason, count]) => `${counted(count, 'call')}, because ${reason}`);
  throw new UsageError(`no call of the recording can be sent; left out: ${reasons.join('; ')}`);
}

function requirePasswords(plan: ReplayPlan): void {
  const unknown = loginsIn(plan).find(({ isRedacted }) => isRedacted);
  if (!unknown) return;
  const why =
    unknown.username === '' ? 'does not have its login' : `does not have the password of "${unknown.username}"`;
  throw new UsageError(`the recording ${why}; pass a login with --username and --password-env`);
}
