// Live updates: one response without end, read line by line. The content is fetched after this response has begun,
// so that no event is missed between the two.
import { askForKey, storedKey } from './key.js';

const content = document.getElementById('content');
const refreshOn = content.dataset.refreshOn.split(' ');
/** Pauses between attempts while the server is away, in milliseconds. */
const retryPauses = [250, 500, 1000, 2000, 5000];
/** Browsers open six connections to a server, and each stream holds one. Pages beyond this number poll. */
const maxStreams = 4;
const pollMilliseconds = 2000;
const texts = {
  live: 'live',
  connecting: 'connecting',
  away: 'not connected, trying again',
  polling: 'refreshing every 2 s',
};

/** Aborts the current stream. */
let controller;
let isPolling = false;
let failures = 0;
let state = 'connecting';
let isPaused = false;
/** The number of requests since the list was paused. */
let missed = 0;

const trigger = (name) => document.body.dispatchEvent(new CustomEvent(name));

/** The stream counts the requests that pass the filter in the page's address. */
const streamUrl = () => content.dataset.live + location.search;
/** A new request does not change the older pages of the list. */
const isHeld = () => isPaused || new URLSearchParams(location.search).has('before');

/** Writes the state into the head of the list of requests. */
function showState() {
  const [place, button] = [document.getElementById('live-state'), document.getElementById('pause')];
  if (!place || !button) return;
  const kind = state === 'live' && isPaused ? 'paused' : state;
  place.textContent = kind === 'paused' ? `paused, ${missed} new` : texts[state];
  place.dataset.kind = kind;
  button.textContent = isPaused ? 'Resume' : 'Pause';
  button.setAttribute('aria-pressed', String(isPaused));
}

function setState(next) {
  state = next;
  showState();
  document.getElementById('away').hidden = next !== 'away';
}

function handleLine(line) {
  const { changed, count = 0 } = JSON.parse(line);
  missed = changed.includes('cleared') ? count : missed + count;
  showState();
  if (changed.includes('state')) trigger('state');
  const news = changed.filter((event) => event !== 'request' || !isHeld());
  if (news.some((event) => refreshOn.includes(event))) trigger('changed');
}

async function readLines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) handleLine(line);
  }
}

function refresh() {
  trigger('state');
  trigger('look');
}

/** Runs `act` if fewer than `maxStreams` pages stream, and returns whether it did. Without Web Locks, always. */
async function runAsStream(act) {
  if (!navigator.locks) return act().then(() => true);
  const run = async (lock) => lock !== null && act().then(() => true);
  for (let index = 0; index < maxStreams; index += 1)
    if (await navigator.locks.request(`sachet live ${index}`, { ifAvailable: true }, run)) return true;
  return false;
}

const retry = (current, milliseconds) => setTimeout(() => controller === current && follow(), milliseconds);

/** Reads the stream to its end. */
async function readStream(current) {
  const headers = { Authorization: `Bearer ${storedKey()}` };
  const response = await fetch(streamUrl(), { headers, signal: current.signal, cache: 'no-store' });
  if (response.status === 401) return askForKey();
  if (response.status >= 500) throw new Error(`status ${response.status}`);
  refresh();
  failures = 0;
  isPolling = false;
  // The content shows why the stream was refused. The reason may be temporary.
  if (!response.ok) return retry(current, pollMilliseconds);
  setState('live');
  await readLines(response.body);
  throw new Error('the stream ended');
}

/** Starts the stream for the page's address, and restarts it when it ends. A hidden page has no stream. */
export async function follow() {
  controller?.abort();
  if (document.hidden) return;
  const current = new AbortController();
  controller = current;
  try {
    if (await runAsStream(() => readStream(current))) return;
    isPolling = true;
    refresh();
    retry(current, pollMilliseconds);
  } catch {
    if (current.signal.aborted) return;
    setState('away');
    retry(current, retryPauses[Math.min(failures, retryPauses.length - 1)]);
    failures += 1;
  }
}

document.addEventListener('htmx:after:swap', ({ detail }) => {
  if (detail.ctx.target !== content) return;
  content.removeAttribute('aria-busy');
  if (isPolling) setState('polling');
  showState();
});
document.addEventListener('htmx:error', () => {
  if (isPolling) setState('away');
});

document.addEventListener('click', ({ target }) => {
  if (!target.closest('[data-pause]')) return;
  isPaused = !isPaused;
  missed = 0;
  showState();
  if (!isPaused) trigger('look');
});

document.addEventListener('visibilitychange', follow);
// After htmx has started, which fetches the content.
document.addEventListener('DOMContentLoaded', () => setTimeout(follow));
