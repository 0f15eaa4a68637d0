// What a symbol of perf is to a reader: a name, and whose code it is; nothing where it only leads from one function to the next.

/** Whose code there is, and in which order the legend tells it. */
export const groups = {
  sachet: 'Sachet, with what is bundled',
  node: 'Node: HTTP, streams, timers',
  v8: 'V8 and C: built-ins, runtime, compiler',
  gc: 'V8: collecting garbage',
  kernel: 'kernel: sockets, memory',
};

/** JavaScript as V8 names it: how it was compiled, its name, its file, its line. */
const script = /^JS:[~^*+']?(.*?) ?((?:file|node):\S*?):(\d+):\d+$/;

/** Jobs of V8's threads are the collector's: the compiler's are tasks. */
const collector =
  /Scaveng|MarkCompact|Mark(?:ing|er)|Sweep|Evacuat|GC|GarbageCollect|YoungGen|GlobalHandles|Heap::(?:Collect|Perform)|PointersUpdat|RememberedSet|FreeList|SizeFromMap|BodyDescriptor|DefaultJobWorker/;

/** Node's own C++, its event loop and its parser. */
const ofNode = /^(?:node|llhttp|uv_)|^(?:non-virtual thunk to )?node::/;

const glue = [
  /^(?:_start|main|start_thread|clone3?|__clone3?|__libc_start.*)$/,
  /^Builtins_(?:JSEntry|JSRunMicrotasksEntry|CEntry|Call|Construct|InterpreterEntry|Handle|AdaptArguments|InterpreterPush)/,
  /Trampoline|^v8::(?:internal::)?(?:\(anonymous namespace\)::Invoke|Execution|MicrotaskQueue|Function::Call|Builtin_HandleApi)/,
  /^node::(?:.*MakeCallback|InternalCallbackScope|SpinEventLoop|NodeMainInstance|Start|LoadEnvironment|.*PlatformWorkerThread)/,
  /::\{lambda|^uv_run|^uv__(?:io_poll|stream_io)|^node::LibuvStreamWrap|^node::EmitToJSStreamListener/,
  /^(?:entry_SYSCALL|do_syscall|x64_sys|__x64_sys|ksys_|__se_sys|\[unknown\])/,
];

/** @returns `{ name, group }`, undefined for what is left out */
export function frameOf(symbol, object) {
  if (glue.some((pattern) => pattern.test(symbol))) return undefined;
  const [, name, file, line] = script.exec(symbol) ?? [];
  if (file !== undefined) return scriptFrame(name, file, line);
  return { name: shortened(symbol), group: groupOf(symbol, object) };
}

function scriptFrame(name, file, line) {
  const [own, short] = file.startsWith('node:') ? ['node', file] : ['sachet', file.slice(file.lastIndexOf('/') + 1)];
  return { name: name === '' ? `(anonymous) ${short}:${line}` : `${name} ${short}`, group: own };
}

function groupOf(symbol, object) {
  if (object.startsWith('[')) return 'kernel';
  if (symbol.startsWith('v8::') && collector.test(symbol)) return 'gc';
  return ofNode.test(symbol) ? 'node' : 'v8';
}

/** Without what stands before all names of V8, and what a name of C++ says of types. */
function shortened(symbol) {
  let name = symbol.replace(/^(?:v8::(?:internal::)?|Builtins_|Builtin:|non-virtual thunk to )/, '');
  if (!name.includes('::')) return name;
  name = name.replaceAll('(anonymous namespace)::', '');
  while (/<[^<>]*>/.test(name)) name = name.replace(/<[^<>]*>/, '');
  return name.replace(/\(.*$/, '');
}
