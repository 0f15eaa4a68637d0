// The built command in the process of the tests, for tests of its output and exit code. It starts faster than a process.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, vi } from 'vitest';
import { built, type Command, cleanEnvironment, commandOf, type Output, resultOf } from './command.ts';

const load: (url: string) => Promise<{ readonly ended: Promise<unknown> }> = createRequire(import.meta.url)(
  './command-entry.cjs',
);
let runs = 0;
let isBusy = false;

/** Like `sachet` of command.ts. Only one at a time, because it uses the arguments, environment and output of this process. */
export function sachetHere(args: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
  if (isBusy) throw new Error('a command runs in this process already');
  isBusy = true;
  const output: Output = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  const { argv, env: ownEnv, exitCode } = process;
  process.argv = [process.execPath, built(), ...args];
  process.env = { ...cleanEnvironment(), ...env };
  process.exitCode = undefined;
  const releases = (['stdout', 'stderr'] as const).map((name) =>
    capture(name, (text) => {
      output[name] += text;
      for (const listener of listeners) listener();
    }),
  );
  const restore = () => {
    if (!isBusy) return;
    isBusy = false;
    for (const release of releases) release();
    Object.assign(process, { argv, env: ownEnv, exitCode });
  };
  onTestFinished(restore);
  return commandOf(output, exitCodeOfRun().finally(restore), listeners);
}

/** Runs it to its end. */
export const resultHere = (...start: Parameters<typeof sachetHere>) => resultOf(sachetHere(...start));

/** Runs a command that must fail with one line, by default because of its arguments; returns the line. */
export async function errorHere(args: readonly string[], env = {}, code = 2): Promise<string> {
  const { stderr, ...result } = await resultHere(args, env);
  expect(result, stderr).toEqual({ code, stdout: '' });
  expect(stderr).toMatch(/^sachet: [^\n]+\n$/);
  return stderr;
}

/** Runs the entry again under a new URL; its imports are loaded once. */
async function exitCodeOfRun(): Promise<number> {
  runs += 1;
  const { ended } = await load(`${pathToFileURL(built())}?run=${runs}`);
  await ended;
  return Number(process.exitCode ?? 0);
}

/** Redirects a stream; the result ends that, and removes the listeners that the command added. */
function capture(name: keyof Output, listener: (text: string) => void): () => void {
  const stream = process[name];
  const known = stream.listeners('error');
  const write = vi.spyOn(stream, 'write').mockImplementation((text) => {
    listener(String(text));
    return true;
  });
  return () => {
    write.mockRestore();
    for (const added of stream.listeners('error') as (() => void)[])
      if (!known.includes(added)) stream.off('error', added);
  };
}
