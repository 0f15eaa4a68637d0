// Runs the built library without Node: its modules see the language and these globals only. Prints what it saw.
// For `node --experimental-vm-modules`; its argument is the folder of the build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { createContext, SourceTextModule } from 'node:vm';

const { AbortController, AbortSignal, atob, Blob, btoa, clearTimeout, crypto, DOMException, Event, EventTarget } =
  globalThis;
const { fetch, FormData, Headers, performance, queueMicrotask, ReadableStream, Request, Response, setTimeout } =
  globalThis;
const { structuredClone, TextDecoder, TextEncoder, TransformStream, URL, URLSearchParams, WritableStream } = globalThis;
const streams = { ReadableStream, TransformStream, WritableStream };
const calls = { AbortController, AbortSignal, fetch, FormData, Headers, Request, Response, URL, URLSearchParams };
const others = { atob, Blob, btoa, crypto, DOMException, Event, EventTarget, performance, structuredClone };
const timers = { clearTimeout, queueMicrotask, setTimeout };
// These return bytes of this realm, so the modules get its classes.
const bytes = { ArrayBuffer, TextDecoder, TextEncoder, Uint8Array };
const context = createContext({ ...streams, ...calls, ...others, ...timers, ...bytes });

const modules = new Map();

/** A built file as a module of the other realm. */
function moduleOf(file) {
  const known = modules.get(file);
  if (known) return known;
  const made = new SourceTextModule(readFileSync(join(argv[2], file), 'utf8'), {
    context,
    identifier: file,
    importModuleDynamically: (target) => ready(target.replace(/^\.\//, '')),
  });
  modules.set(file, made);
  return made;
}

async function ready(file) {
  const found = moduleOf(file);
  if (found.status === 'unlinked') await found.link((target) => moduleOf(target.replace(/^\.\//, '')));
  if (found.status === 'linked') await found.evaluate();
  return found;
}

const { createSachet, sampleOrder } = (await ready('index.js')).namespace;
const sandbox = await createSachet().createSandbox();
const client = sandbox.client();
const order = await client.post('/v2/orders', sampleOrder());
const consumer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example' };
const rejected = await client.post('/v2/orders', sampleOrder({ consumer }));
const { fulfillments } = await (await client.get('/v2/fulfillments?limit=1')).json();
const label = await (await sandbox.fetch(fulfillments[0].label_url)).text();
console.log(JSON.stringify([order.status, rejected.status, label.slice(0, 5)]));
