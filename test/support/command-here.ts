// The built command in the process of the tests: what it prints and its exit code, where a test is not about the process or its signals.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import { built, type Command, cleanEnvironment, commandOf, type Said } from './command.ts';

type Environment = Readonly<Record<string, string>>;

const load: (url: string) => Promise<unknown> = createRequire(import.meta.url)('./command-entry.cjs');
let runs = 0;
let isBusy = false;

/** As `sachet` of command.ts. One at a time: it takes the arguments, the environment and the output of this process. */
export function sachetHere(args: readonly string[], env: Environment = {}): Command {
  if (isBusy) throw new Error('a command runs in this process already');
  const said: Said = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  const restore = taken(args, env, (stream, text) => {
    said[stream] += text;
    for (const listener of listeners) listener();
  });
  onTestFinished(restore);
  return commandOf(said, exitCode().finally(restore), listeners);
}

/** The entry is run anew by its new name; what it imports is loaded once. */
async function exitCode(): Promise<number> {
  runs += 1;
  await load(`${pathToFileURL(built())}?run=${runs}`);
  return Number(process.exitCode ?? 0);
}

/** Gives the process to a command; gives what takes it back. */
function taken(args: readonly string[], env: Environment, say: (stream: keyof Said, text: string) => void): () => void {
  isBusy = true;
  const { argv, env: ownEnv, exitCode: ownCode } = process;
  process.argv = [process.execPath, built(), ...args];
  process.env = { ...cleanEnvironment(), ...env };
  process.exitCode = undefined;
  const streams = [heard('stdout', say), heard('stderr', say)];
  return () => {
    if (!isBusy) return;
    isBusy = false;
    for (const restore of streams) restore();
    Object.assign(process, { argv, env: ownEnv, exitCode: ownCode });
  };
}

/** Has what is written told, not written; gives what takes that back, with the listeners that were added. */
function heard(name: keyof Said, say: (stream: keyof Said, text: string) => void): () => void {
  const stream = process[name];
  const known = stream.listeners('error');
  const write = vi.spyOn(stream, 'write').mockImplementation((text) => {
    say(name, String(text));
    return true;
  });
  return () => {
    write.mockRestore();
    for (const listener of stream.listeners('error') as (() => void)[])
      if (!known.includes(listener)) stream.off('error', listener);
  };
}
