// A client of many connections that calls by a schedule of its own, however slowly it is answered (open loop). Its plan comes on standard input; what
// it found goes to standard output, as JSON.

import { performance } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { Connections } from './connections.mjs';
import { Findings } from './findings.mjs';
import { Resets } from './resets.mjs';

const graceMilliseconds = 10_000;
/** A call that leaves so long after it was due counts as late. */
const lateMilliseconds = 10;

const plan = await json(process.stdin);
const connections = new Connections(new URL(plan.url));
const resets = new Resets(plan.reset);
const findings = new Findings(resets);
const calls = plan.calls.map((bytes) => Buffer.from(bytes));
const warmUpMilliseconds = plan.warmUpSeconds * 1000;
const total = Math.round(plan.perSecond * (plan.seconds + plan.warmUpSeconds));
const began = performance.now();

for (let sent = 0; sent < total; ) {
  const due = began + (sent * 1000) / plan.perSecond;
  if (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1));
  else send(due, calls[sent++ % calls.length]);
}
await settled();
process.stdout.write(JSON.stringify({ ...findings.told(performance.now() - began), resets: resets.count }));
connections.close();

function send(due, bytes) {
  findings.sent(performance.now() - due > lateMilliseconds);
  connections.send(bytes, (left, status) => {
    findings.answered({ due, left, now: performance.now(), status, isTimed: due - began >= warmUpMilliseconds });
    resets.answered(findings.answers);
  });
}

async function settled() {
  const deadline = performance.now() + graceMilliseconds;
  while (findings.inFlight > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 1));
  await resets.settled();
}
