// A certification as the command runs and tells it, on the ground that the flags name.
import type { Remote } from '../ask.ts';
import { interruptible } from '../interruptible.ts';
import type { SettingFlags } from '../setting-flags.ts';
import { type Outputs, prepareOutputs, tellResults } from '../tell-results.ts';
import type { Certification } from './certification.ts';
import { type Ground, groundElsewhere, ownGround } from './ground.ts';
import { junitCases } from './junit-cases.ts';
import { markdownOf } from './markdown.ts';
import { prepareOut, writeOut } from './out-folder.ts';
import { type CertificationTask, runCertification } from './run-certification.ts';

export interface CertifyFlags extends Outputs, Omit<CertificationTask, 'signal'>, SettingFlags {
  readonly out?: string | undefined;
  readonly randomSeed: string;
  readonly sandbox: string;
  /** undefined for a server of its own. */
  readonly remote: Remote | undefined;
}

/** Whether the client is certified. @throws UsageError */
export async function tellCertification(flags: CertifyFlags): Promise<boolean> {
  const { out } = flags;
  prepareOutputs(flags);
  if (out !== undefined) prepareOut(out);
  const certification = await interruptible((signal) => certificationOf(flags, signal));
  const markdown = markdownOf(certification);
  if (out !== undefined) writeOut(out, { markdown, json: `${JSON.stringify(certification, null, 2)}\n` });
  tellResults(flags, {
    suite: 'sachet certify',
    cases: () => junitCases(certification),
    document: () => certification,
    text: () => markdown,
  });
  return certification.certified;
}

async function certificationOf(flags: CertifyFlags, signal: AbortSignal): Promise<Certification> {
  const ground: Ground = flags.remote ? groundElsewhere(flags.remote) : await ownGround(flags, flags.sandbox);
  try {
    return await runCertification(ground, { ...flags, signal });
  } finally {
    await ground.close();
  }
}
