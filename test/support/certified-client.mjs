// A client for `sachet certify` with a round per line. Its first argument lists its faults, separated by commas.
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { connect, sampleOrder } from 'sachet';

const { SACHET_URL: url, SACHET_ADMIN_KEY: adminKey, SACHET_SANDBOX, SACHET_USERNAME, SACHET_PASSWORD } = process.env;
const login = { username: SACHET_USERNAME, password: SACHET_PASSWORD };
const [faults = '', ...words] = process.argv.slice(2);
const is = (name) => faults.split(',').includes(name);
const sandbox = connect({ url, adminKey }).sandbox(SACHET_SANDBOX);
const makeService = () => sandbox.client(login);
let service = makeService();
let keptLabel;

if (is('noting') || is('leaving') || is('lingering')) {
  const pids = [process.pid];
  if (!is('noting')) {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
    pids.push(child.pid);
    child.unref();
    // Reaps its child.
    if (is('lingering')) process.on('SIGTERM', () => child.once('exit', () => process.exit(143)));
  }
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(?:SACHET|API)_/.test(name)));
  writeFileSync(words[0], JSON.stringify({ pids, env }));
}

/** Advances the sandbox's clock instead of waiting. */
const wait = (seconds) => sandbox.clock.advance({ seconds });

/** Waits out a 429, and pauses longer after each 500. */
async function patiently(request, pause = 2) {
  const response = await request();
  if (response.status === 429) await wait(is('impatient') ? 1 : Number(response.headers.get('retry-after')));
  else if (response.status === 500) await wait(is('hammering') ? 0.001 : pause);
  else return response;
  return patiently(request, 2 * pause);
}

async function read(path) {
  const response = await patiently(() => service.get(path));
  return response.ok ? response.json() : {};
}

const newest = async () => (await read('/v2/orders')).orders ?? [];

/** After a lost response or a 500, looks for the order before it sends it again. */
async function order() {
  const known = new Set((await newest()).map(({ id }) => id));
  let isDoubtful = false;
  const response = await patiently(async () => {
    const stored = isDoubtful && !is('ordering twice') && (await newest()).find(({ id }) => !known.has(id));
    if (stored) return Response.json({ order: stored });
    const answer = await service.post('/v2/orders', sampleOrder()).catch(() => new Response(null, { status: 500 }));
    isDoubtful = answer.status === 500;
    return answer;
  });
  if (is('stubborn') && response.status === 422) await service.post('/v2/orders', sampleOrder());
  if (is('forgetful') && response.status === 403) service = makeService();
  const { order: made } = await response.json();
  if (is('never content') && made?.status === 'Needs Changes') await service.post('/v2/orders', sampleOrder());
  return made;
}

async function fulfillments() {
  const all = [];
  for (let cursor = ''; cursor !== null; ) {
    const page = await read(`/v2/fulfillments?limit=10${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    all.push(...(page.fulfillments ?? []));
    cursor = is('hasty') ? null : (page.next_cursor ?? null);
  }
  return all;
}

async function label(id) {
  const { fulfillment } = await read(`/v2/fulfillments/${id}`);
  if (!is('hoarding')) keptLabel = undefined;
  keptLabel ??= fulfillment.label_url;
  const { status } = await fetch(keptLabel);
  if (is('hoarding') && status === 403) await fetch(keptLabel);
}

async function round() {
  const made = await order();
  if (made) await read(`/v2/orders/${made.id}/fulfillments`);
  const [first] = await fulfillments();
  if (first) await label(first.id);
}

/** `ending` and `silent` apply to the line with this number. */
let lines = 0;
for await (const line of createInterface({ input: process.stdin })) {
  lines += 1;
  if (is('writing')) appendFileSync(words[0], `${line}\n`);
  if (line.startsWith('before ')) keptLabel = undefined;
  if (is('ending') && lines === Number(words[0])) {
    process.stderr.write(`${words.slice(1).join(' ')}\n`);
    process.exit(3);
  }
  if (is('silent') && lines === Number(words[0])) continue;
  await round();
  if (is('clearing') && !line.startsWith('before ')) await sandbox.requests.clear();
  if (is('turning off') && !line.startsWith('before ')) await sandbox.switches.clear();
  if (is('resetting') && !line.startsWith('before ')) await sandbox.reset();
  process.stdout.write(is('talkative') ? `round of ${line}\n${line}.\n\n${line}\r\nand so on\n` : `${line}\n`);
}
if (is('lingering')) setInterval(() => undefined, 1000);
