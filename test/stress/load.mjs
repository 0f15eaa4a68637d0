// Sends requests at a fixed rate, however slowly the server responds, in a process of its own. Reads a plan from standard input and prints the
// result, both JSON. Response times count from when a request was due.
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const lateMilliseconds = 10;
const graceMilliseconds = 10_000;
const { url, token, requests, perSecond, seconds, warmUpSeconds, reset } = await json(process.stdin);
const agent = new Agent({ keepAlive: true, maxSockets: 250 });
const result = { sent: 0, responses: 0, late: 0, broken: 0, explained: 0, rejected: {} };
const times = [];
/** When each reset began and ended. */
const resets = [];

const start = performance.now();
const total = Math.round(perSecond * (seconds + warmUpSeconds));
while (result.sent < total) {
  const due = start + (result.sent * 1000) / perSecond;
  if (performance.now() < due) await sleep(1);
  else send(due, requests[result.sent++ % requests.length]);
}
const unanswered = () => result.sent - result.responses - result.broken;
const deadline = performance.now() + graceMilliseconds;
while ((unanswered() > 0 || resets.some(([, end]) => !end)) && performance.now() < deadline) await sleep(1);

times.sort((one, other) => one - other);
const quantile = (part) => times[Math.max(Math.ceil(times.length * part) - 1, 0)];
const rate = (result.responses * 1000) / (performance.now() - start);
const quantiles = { p50: quantile(0.5), p99: quantile(0.99), max: quantile(1) };
console.log(JSON.stringify({ ...result, unanswered: unanswered(), rate, resets: resets.length, ...quantiles }));
agent.destroy();

async function send(due, call) {
  const left = performance.now();
  if (left - due > lateMilliseconds) result.late += 1;
  const status = await statusOf(call, token);
  const now = performance.now();
  if (status === undefined) {
    result.broken += 1;
    return;
  }
  result.responses += 1;
  if (due - start >= warmUpSeconds * 1000) times.push(now - due);
  // A reset of the sandbox ends the requests that it meets.
  const isExplained = status >= 500 && resets.some(([begin, end]) => begin <= now && left <= (end ?? now));
  if (isExplained) result.explained += 1;
  else if (status >= 300) result.rejected[status] = (result.rejected[status] ?? 0) + 1;
  if (reset && result.responses % reset.every === 0) await resetSandbox();
}

async function resetSandbox() {
  const span = [performance.now()];
  resets.push(span);
  const status = await statusOf({ method: 'POST', path: reset.path }, reset.key);
  if (!(status < 300)) throw new Error(`the reset got ${status}`);
  span.push(performance.now());
}

/** The status of a whole response; undefined if the connection breaks. */
function statusOf({ method, path, body = '' }, bearer) {
  const content = body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const headers = { authorization: `Bearer ${bearer}`, ...content };
  return new Promise((resolve) => {
    const broken = () => resolve(undefined);
    const sent = request(url + path, { agent, method, headers }, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode))
        .on('error', broken);
    });
    sent.on('error', broken).end(body);
  });
}
