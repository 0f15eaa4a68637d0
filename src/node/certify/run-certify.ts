// What `sachet certify` does: the walk, on the ground that the flags name, and its reports.
import type { Remote } from '../ask.ts';
import { interruptible } from '../interruptible.ts';
import { type Junit, junitDocument, prepareJunit, writeJunit } from '../junit.ts';
import type { WorldFlags } from '../world-flags.ts';
import type { Certification } from './certification.ts';
import { certify, type Walking } from './certify.ts';
import { type Ground, groundElsewhere, ownGround } from './ground.ts';
import { junitCases } from './junit-cases.ts';
import { markdownOf } from './markdown.ts';
import { prepareOut, writeOut } from './out-folder.ts';

interface Outputs {
  readonly out?: string | undefined;
  readonly json: boolean;
  readonly junit?: Junit | undefined;
}

export interface CertifyRun extends Outputs, Omit<Walking, 'signal' | 'only'>, WorldFlags {
  readonly only?: readonly string[] | undefined;
  readonly randomSeed: string;
  readonly sandbox: string;
  /** undefined for a server of its own. */
  readonly remote: Remote | undefined;
}

/** Whether the client is certified. */
export async function runCertify(run: CertifyRun): Promise<boolean> {
  prepareJunit(run.junit, run.json);
  if (run.out !== undefined) prepareOut(run.out);
  const certification = await interruptible((signal) => onGround(run, signal));
  write(certification, run);
  return certification.certified;
}

async function onGround(run: CertifyRun, signal: AbortSignal): Promise<Certification> {
  const ground: Ground = run.remote ? groundElsewhere(run.remote) : await ownGround(run, run.sandbox);
  try {
    return await certify(ground, { ...run, only: run.only, signal });
  } finally {
    await ground.close();
  }
}

function write(certification: Certification, { out, json, junit }: Outputs): void {
  const markdown = markdownOf(certification);
  if (out !== undefined) writeOut(out, { markdown, json: `${JSON.stringify(certification, null, 2)}\n` });
  if (junit !== undefined) writeJunit(junit, junitDocument('sachet certify', junitCases(certification)));
  if (json) process.stdout.write(`${JSON.stringify(certification)}\n`);
  else if (junit !== true) process.stdout.write(markdown);
}
