// What Linux tells of a process: its resident memory, and the processor time it had.
import { readFileSync } from 'node:fs';

/** Why resident sizes cannot be told here; undefined where they can. */
export const rssUnavailable =
  process.platform === 'linux' ? undefined : 'resident sizes are read from /proc, which is Linux';

/** Resident size of a process, in megabytes (1,000,000 bytes). */
export function residentMegabytes(pid) {
  const kibibytes = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kibibytes === undefined) throw new Error(`no resident size of process ${pid}`);
  return (Number(kibibytes) * 1024) / 1e6;
}

/** Linux counts processor time in hundredths of a second for everybody who asks. */
const ticksPerSecond = 100;

/** Processor time that a process has had, in seconds, of user and system; undefined where that cannot be told. */
export function processorSeconds(pid) {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the command, in parentheses, may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
