// Counts the functions that one warm POST /v2/orders over HTTP calls. It uses V8's precise coverage and a build with one file per source file.
// Usage: node bench/functions.mjs [--list] [--json]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readWorkload } from './workload.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
const warmUpCalls = 200;

const folder = mkdtempSync(join(tmpdir(), 'sachet-functions-'));
try {
  const found = await functionsCalledByOrder();
  const own = found.filter(({ file }) => file.startsWith('src/'));
  const files = new Set(own.map(({ file }) => file));
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ functions: own.length, files: files.size }));
  } else {
    if (process.argv.includes('--list')) list(own, files);
    console.log(`${own.length} functions in ${files.size} files of src`);
    for (const name of ['hono/', '@hono/node-server/', '@hono/zod-validator/', 'zod/', 'nanoid/']) {
      const called = found.filter(({ file }) => file.startsWith(`node_modules/${name}`));
      console.log(`${called.length} functions of ${name.slice(0, -1)}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function functionsCalledByOrder() {
  execFileSync(process.execPath, ['bundle.mjs', '--modules', folder], { cwd: project, stdio: 'ignore' });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const { serve } = await import(pathToFileURL(join(folder, 'node.js')));
  const server = await serve();
  const { order, headers } = await readWorkload({ url: server.baseUrl, username: 'demo', password: 'sachet-demo' }, 1);
  const placeOrder = async () =>
    (await fetch(`${server.baseUrl}/v2/orders`, { method: 'POST', headers, body: order })).json();
  for (let call = 0; call < warmUpCalls; call += 1) await placeOrder();
  await session.post('Profiler.takePreciseCoverage');
  await placeOrder();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  await server.close();
  return result.flatMap(calledFunctions);
}

/** Returns the functions of a file that were called since the last coverage report, without the file's top level. */
function calledFunctions({ url, functions }) {
  const root = `${pathToFileURL(folder)}/`;
  if (!url.startsWith(root)) return [];
  const file = url.slice(root.length);
  const called = functions.filter(({ ranges }) => ranges[0].count > 0 && ranges[0].startOffset > 0);
  return called.map(({ functionName }) => ({ file, name: functionName || '(anonymous)' }));
}

function list(functions, files) {
  for (const file of [...files].sort()) {
    const names = functions.filter((found) => found.file === file).map(({ name }) => name);
    console.log(`${file}: ${names.join(', ')}`);
  }
}
