// `sachet compare`: sends recorded calls to a target and to a sandbox in this process, and compares the answers.

import { counted } from '../../client/printable.ts';
import type { RecordedCall } from '../../fidelity/recorded-call.ts';
import {
  Correlation,
  type Credentials,
  isLogin,
  loginsIn,
  planReplay,
  type ReplayPlan,
} from '../../fidelity/replay.ts';
import { UsageError } from '../../system/exit-errors.ts';
import type { prepareOutputs } from '../cli/results.ts';
import type { Setting } from '../cli/serve-flags.ts';
import { printableTable } from '../cli/table.ts';
import { printProgress } from '../client-output.ts';
import { interruptible } from '../client-process.ts';
import { type Comparison, compareCases, compareDocument, compareTable, countLines } from './compare-report.ts';
import { explain } from './explain.ts';
import { readHarFiles } from './har-files.ts';
import { compareSandbox, replay, type Send, type Sent, sandboxWorld } from './sandbox-run.ts';
import { SecretRedactor } from './secrets.ts';
import { StopError, type TargetOptions, targetSender } from './target.ts';

interface CompareTask extends TargetOptions {
  readonly from: readonly string[];
  readonly baseUrl?: string;
  /** The login for the target; undefined: those of the recording. */
  readonly given: Credentials | undefined;
  readonly allowWrites: boolean;
  readonly plan: boolean;
  readonly setting: Setting;
  readonly print: ReturnType<typeof prepareOutputs>;
}

const suite = 'sachet compare';

/** Returns whether all calls were compared, without a difference. @throws UsageError; StopError */
export async function runCompareCommand(task: CompareTask): Promise<boolean> {
  const { calls, incomplete } = await readHarFiles(task.from, task.baseUrl);
  const recorded = calls.map(({ call }) => call);
  const planned = planReplay(recorded, task.allowWrites);
  const unanswered = incomplete > 0 ? { 'the recording does not have their answers': incomplete } : {};
  const plan = { ...planned, leftOut: { ...planned.leftOut, ...unanswered } };
  if (task.plan) {
    printPlan(plan, task.print);
    return true;
  }
  if (plan.calls.length === 0)
    throw new UsageError(`no call of the recording can be sent; left out: ${countLines(plan.leftOut).join('; ')}`);
  if (!task.given) requirePasswords(plan);
  return interruptible(async (signal) => {
    const comparison = await compare(plan.calls, { ...task, send: targetSender(task, signal), signal });
    const isSame = printComparison(comparison, plan, task);
    if (signal.aborted && comparison.stopped === null) printProgress('sachet: stopped; explanations may be missing');
    return isSame;
  });
}

function printComparison(comparison: Comparison, plan: ReplayPlan, task: CompareTask): boolean {
  const redactor = new SecretRedactor(task.given?.password);
  for (const { call, request, target } of comparison.calls)
    for (const body of [call.requestBody, call.responseBody, request.body, target.responseBody]) redactor.addFrom(body);
  const stopped = comparison.stopped && redactor.hide(comparison.stopped);
  const document = compareDocument(task.target, { ...comparison, stopped }, plan, redactor);
  task.print({ suite, cases: compareCases(document), document, text: compareTable(document) });
  if (stopped !== null) printProgress(`sachet: ${stopped}`);
  return document.different === 0 && stopped === null;
}

function printPlan({ calls, leftOut }: ReplayPlan, print: CompareTask['print']): void {
  const redactor = new SecretRedactor();
  const requests = calls.map(({ method, path, query }) => ({
    method,
    path: redactor.text(path) + redactor.query(query),
  }));
  const summary = [`${counted(calls.length, 'call')} would be sent`, ...countLines(leftOut, 'Left out: ')];
  const text = `${printableTable(requests.map(({ method, path }) => [method, path]))}\n${summary.join('\n')}\n`;
  print({ suite, cases: [], document: { requests, left_out: leftOut }, text });
}

/** @throws UsageError for a recording without a password that it needs */
function requirePasswords(plan: ReplayPlan): void {
  const unknown = loginsIn(plan).find(({ username, isRedacted }) => isRedacted || username === '');
  if (!unknown) return;
  const missing = unknown.username === '' ? 'its login' : `the password of "${unknown.username}"`;
  throw new UsageError(`the recording does not have ${missing}; pass a login with --username and --password-env`);
}

/**
 * @param task `send` sends to the target; `signal` ends the search for explanations
 * @throws StopError if the target answers no call, or refuses the first login
 */
export async function compare(
  calls: readonly RecordedCall[],
  task: Pick<CompareTask, 'given' | 'setting'> & { readonly send: Send; readonly signal?: AbortSignal },
): Promise<Comparison> {
  const { send, given, setting, signal } = task;
  const sent: Sent[] = [];
  let stopped: string | null = null;
  try {
    for await (const one of replay(calls, new Correlation(() => given), send)) {
      requireLogin(one, given);
      sent.push(one);
    }
  } catch (error) {
    if (!(error instanceof StopError) || sent.length === 0) throw error;
    stopped = error.message;
  }
  const run = await compareSandbox(sandboxWorld(setting, sent, given), setting.choices);
  return { calls: run.calls, explanations: await explain(run, signal), stopped };
}

/** @throws StopError if a login that succeeded in the recording is refused: most calls after it would be, too */
function requireLogin({ call, answer: { status } }: Sent, given: Credentials | undefined): void {
  if (!isLogin(call) || status < 400) return;
  const username = given?.username ?? loginsIn({ calls: [call], leftOut: {} })[0]?.username;
  throw new StopError(
    `the login of "${username}" was answered ${status}; check --target, --username and --password-env`,
  );
}
