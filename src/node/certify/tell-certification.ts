// A certification as the command runs and tells it, on the ground that the flags name.
import type { Remote } from '../ask.ts';
import { interruptible } from '../interruptible.ts';
import { type Outputs, prepareOutputs, tellResults } from '../report-files.ts';
import type { SettingFlags } from '../serve-flags.ts';
import type { Certification } from './certification.ts';
import { type Ground, groundElsewhere, ownGround } from './ground.ts';
import { junitCases, markdownOf, prepareOut, writeOut } from './markdown.ts';
import { tellEnding, tellLeft } from './progress.ts';
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
  const certification = await certificationOf(flags);
  const markdown = markdownOf(certification);
  tellResults(flags, {
    suite: 'sachet certify',
    cases: () => junitCases(certification),
    document: () => certification,
    text: () => markdown,
  });
  if (out !== undefined) writeOut(out, { markdown, json: `${JSON.stringify(certification, null, 2)}\n` });
  return certification.certified;
}

function certificationOf(flags: CertifyFlags): Promise<Certification> {
  let ground: Ground | undefined;
  return interruptible(
    async (signal) => {
      ground = flags.remote ? groundElsewhere(flags.remote) : await ownGround(flags, flags.sandbox);
      return certificationOn(ground, { ...flags, signal });
    },
    { begun: () => tellEnding(ground?.keptAs()), abandoned: () => tellLeft(ground?.keptAs()) },
  );
}

/** Why a walk broke off is told, whatever its end then makes worse. */
async function certificationOn(ground: Ground, task: CertificationTask): Promise<Certification> {
  const certification = await runCertification(ground, task).catch(async (error: Error) => {
    await ground.close().catch((worse: Error) => {
      throw task.signal.aborted ? worse : new Error(`${error.message}; ${worse.message}`, { cause: error });
    });
    throw error;
  });
  await ground.close();
  return certification;
}
