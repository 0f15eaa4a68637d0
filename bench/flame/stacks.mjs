// Reads what `perf script -F pid,tid,ip,sym,dso` writes: for each sample a line of its thread, its frames from the innermost on, and an empty line.
import { frameOf } from './frames.mjs';

const thread = /^\s*(\d+)\/(\d+)\s*$/;
const frame = /^\s+[0-9a-f]+ (.*) \((.*)\)$/;
const mainThread = { name: 'main thread', group: 'v8' };
const otherThreads = { name: "V8's threads", group: 'v8' };
/** So far into the kernel it is told what was asked of it; the rest is thirty functions on the way to the other socket. */
const mostOfKernel = 4;

/** Gives a reader of lines that calls back with each stack: frames `{ name, group }` from the outermost on, the first of them the thread. */
export function stackReader(onStack) {
  let stack;
  return (line) => {
    const [, pid, tid] = thread.exec(line) ?? [];
    if (pid !== undefined) stack = { root: pid === tid ? mainThread : otherThreads, frames: [] };
    else if (line.trim() !== '') addFrame(stack, line);
    else if (stack !== undefined) {
      onStack([stack.root, ...withLessKernel(stack.frames.reverse())]);
      stack = undefined;
    }
  };
}

function addFrame(stack, line) {
  const [, symbol, object] = frame.exec(line) ?? [];
  const known = symbol === undefined ? undefined : frameOf(symbol, object);
  if (known !== undefined) stack?.frames.push(known);
}

function withLessKernel(frames) {
  const entered = frames.findIndex(({ group }) => group === 'kernel');
  return entered === -1 ? frames : frames.slice(0, entered + mostOfKernel);
}
