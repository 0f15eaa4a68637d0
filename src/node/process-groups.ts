// Process groups that Sachet has started: each is ended when it is over, and all of them before Sachet itself ends.
import { setTimeout as pause } from 'node:timers/promises';
import { stopwatch } from '../control/clock.ts';

/** A group by the pid of its leader, until nothing of it is left. */
export interface RunningGroup {
  readonly pid: number;
  /** Ends it whole. */
  readonly end: () => Promise<void>;
}

/** How long a signal may take; dead orphans that nobody reaps look as if they took it never. */
const graceMilliseconds = { SIGTERM: 2000, SIGKILL: 100 } as const;
const lookMilliseconds = 10;
/** Exit codes as a shell tells them of a command that a signal has ended. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** A terminal's Ctrl-C reaches Sachet itself, and once more by the npm that has started it. */
const sameSignalMilliseconds = 1000;

/** What is done before a signal ends Sachet. */
export interface LastTask {
  readonly run: () => Promise<void>;
  /** Called where another signal does not wait for it. */
  readonly abandoned?: () => void;
}

const running = new Set<RunningGroup>();
const lastTasks = new Set<LastTask>();
let interruptedAt: number | undefined;

/** Keeps a group that was just started. While there is any, a signal ends them all first. */
export function register(pid: number, end: () => Promise<void>): RunningGroup {
  if (isIdle()) watch('on');
  const group = { pid, end };
  running.add(group);
  return group;
}

/** Has this done, too, before a signal ends Sachet. Gives what takes it off again. */
export function beforeEnd(task: LastTask): () => void {
  if (isIdle()) watch('on');
  lastTasks.add(task);
  return () => {
    lastTasks.delete(task);
    if (isIdle()) watch('off');
  };
}

const isIdle = (): boolean => running.size === 0 && lastTasks.size === 0;

/** Asks what is left of a group to end, and makes it after a grace. */
export async function endGroup(group: RunningGroup): Promise<void> {
  if (!running.has(group)) return;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    if (send(group, signal)) await gone(group, graceMilliseconds[signal]);
  running.delete(group);
  if (isIdle()) watch('off');
}

/** Whether there was anything to send it to; 0 only asks that. */
function send({ pid }: RunningGroup, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    // What may not be ended is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function gone(group: RunningGroup, milliseconds: number): Promise<void> {
  for (let waited = 0; waited < milliseconds && send(group, 0); waited += lookMilliseconds)
    await pause(lookMilliseconds);
}

function watch(turn: 'on' | 'off'): void {
  for (const signal of Object.keys(exitCodes) as (keyof typeof exitCodes)[]) process[turn](signal, interrupt);
  process[turn]('exit', killAll);
}

/** The first signal ends the groups, then Sachet; a second one does not wait. */
function interrupt(signal: keyof typeof exitCodes): void {
  const end = () => process.exit(exitCodes[signal]);
  if (interruptedAt !== undefined) {
    if (stopwatch() - interruptedAt < sameSignalMilliseconds) return;
    for (const { abandoned } of lastTasks) abandoned?.();
    end();
  }
  interruptedAt = stopwatch();
  const groups = Array.from(running, (group) => group.end());
  const tasks = Array.from(lastTasks, (task) => task.run());
  void Promise.allSettled([...groups, ...tasks]).then(end);
}

/** However Sachet ends, nothing is left behind. */
function killAll(): void {
  for (const group of running) send(group, 'SIGKILL');
}
