// What a sandbox received and why it answered so, for the reader of a test that failed.
import type { MadeSandbox } from '../client/sandbox.ts';
import { entryLine } from '../node/remote-sandbox.ts';

const mostCalls = 20;

const counted = (calls: number): string => (calls === 1 ? '1 call' : `${calls} calls`);

export async function printCalls({ name, requests }: Pick<MadeSandbox, 'name' | 'requests'>): Promise<void> {
  const list = await requests.list().catch(() => undefined);
  // A test that deleted its sandbox has nothing to be told.
  if (!list) return;
  const shown = list.requests.slice(-mostCalls);
  const before = list.dropped + list.requests.length - shown.length;
  const lines = shown.map((entry) => `  ${entryLine(entry)}`);
  const head = `The sandbox ${name} received ${counted(before + shown.length)}${before > 0 ? `; the last ${shown.length}` : ''}:`;
  console.error([head, ...lines].join('\n'));
}
