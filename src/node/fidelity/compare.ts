// `sachet compare`: sends recorded calls to a target and to a sandbox in this process, and compares the answers.
import { z } from 'zod';
import type { RecordedCall } from '../../fidelity/recorded-call.ts';
import { Correlation, type Credentials, isLogin } from '../../fidelity/replay.ts';
import { jsonValueOf } from '../../journal/redaction.ts';
import type { Setting } from '../cli/serve-flags.ts';
import { type Explanation, explain } from './explain.ts';
import {
  type ComparedCall,
  collect,
  compareSandbox,
  replay,
  type Send,
  type Sent,
  sandboxWorld,
} from './sandbox-run.ts';
import { TargetStopped } from './target.ts';

export interface Comparison {
  readonly calls: readonly ComparedCall[];
  readonly explanations: readonly Explanation[];
  /** Why the target got no further calls. */
  readonly stopped: string | null;
}

const loginBody = z.object({ username: z.string() }).catch({ username: '' });

/** @throws TargetStopped if a login that succeeded in the recording is refused: most calls after it would be, too */
function requireLogin(call: RecordedCall, { request, answer: { status } }: Sent): void {
  if (!isLogin(call) || status < 400) return;
  const { username } = loginBody.parse(jsonValueOf(request.body));
  throw new TargetStopped(`the login of "${username}" got ${status}; check --username and --password-env`);
}

/**
 * @param send to the target
 * @param given the login for the target; undefined: those of the recording
 * @throws TargetStopped if the target answers no call, or refuses the first login
 */
export async function compare(
  calls: readonly RecordedCall[],
  { send, given, setting }: { readonly send: Send; readonly given: Credentials | undefined; readonly setting: Setting },
): Promise<Comparison> {
  const sent: Sent[] = [];
  let stopped: string | null = null;
  try {
    for await (const one of replay(calls, new Correlation(() => given), send)) {
      requireLogin(calls[sent.length] as RecordedCall, one);
      sent.push(one);
    }
  } catch (error) {
    if (!(error instanceof TargetStopped) || sent.length === 0) throw error;
    stopped = error.message;
  }
  const world = sandboxWorld(setting, calls.slice(0, sent.length), sent, given);
  const compared = await collect(compareSandbox(world, setting.choices));
  return { calls: compared, explanations: await explain(world, setting.choices, compared), stopped };
}
