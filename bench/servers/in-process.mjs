// Holds a Sachet in process, and does with it what the benchmark asks for.
import { performance } from 'node:perf_hooks';
import { createSachet } from '../../dist/index.js';
import { answerWorks, microseconds } from './works.mjs';

const json = { 'content-type': 'application/json' };
const sachet = createSachet({ maxSandboxes: 100_000 });
const made = [];

answerWorks({ logIn, orders, control, makeSandboxes, resetSandbox });

async function logIn({ username, password }) {
  const body = JSON.stringify({ username, password });
  return JSON.parse(await answerOf('/v2/authentication/token', { method: 'POST', headers: json, body }));
}

/** One order after the other for so many seconds: `{ perSecond }`. Each answer is read, as a client reads it. */
async function orders({ seconds, token, body }) {
  const headers = { ...json, authorization: `Bearer ${token}` };
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < seconds * 1000; count += 1) {
    await answerOf('/v2/orders', { method: 'POST', headers, body });
  }
  return { perSecond: (count * 1000) / (performance.now() - began) };
}

async function answerOf(path, init) {
  const response = await sachet.fetch(path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text;
}

/** A control call that changes nothing: what the public way to a sandbox costs by itself. */
function control({ count }) {
  const sandbox = sachet.sandbox('stage');
  return microseconds(count, () => sandbox.clock.get());
}

async function makeSandboxes({ count }) {
  const told = await microseconds(count, async () => made.push(await sachet.createSandbox()));
  for (const sandbox of made.splice(0)) await sandbox.delete();
  return told;
}

function resetSandbox({ count }) {
  const sandbox = sachet.sandbox('stage');
  return microseconds(count, () => sandbox.reset());
}
