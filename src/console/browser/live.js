// Live updates: one response that does not end, read line by line. The content is fetched after that response has
// begun, so that no event falls between the two.
import { askForKey, storedKey } from './key.js';

const content = document.getElementById('content');
const refreshOn = content.dataset.refreshOn.split(' ');
/** Pauses between attempts while the server is away, in milliseconds. */
const retryPauses = [250, 500, 1000, 2000, 5000];
/** Browsers open six connections to a server and each stream holds one, so only so many pages stream. Others poll. */
const maxStreams = 4;
const pollMilliseconds = 2000;
const texts = {
  live: 'live',
  connecting: 'connecting',
  away: 'not connected, trying again',
  polling: 'looking every 2 s',
};

/** Aborts the current stream. */
let controller;
let isPolling = false;
let failures = 0;
let state = 'connecting';
let isPaused = false;
/** How many rows came while the list was paused. */
let pausedRows = 0;
/** Rows that came while the content was being fetched; undefined otherwise. */
let heldRows;

const trigger = (name) => document.body.dispatchEvent(new CustomEvent(name));

/** Asks for rows by the filter in the page's address. Older pages of the list get none. */
function streamUrl() {
  const query = new URLSearchParams(location.search);
  if (!('rows' in content.dataset) || query.has('before')) return content.dataset.live;
  query.set('rows', '1');
  return `${content.dataset.live}?${query}`;
}

/** Writes the state into the head of the list; fetched content does not have it. */
function showState() {
  const [place, button] = [document.getElementById('live-state'), document.getElementById('pause')];
  if (!place || !button) return;
  const isHeld = state === 'live' && isPaused;
  place.textContent = isHeld ? `paused, ${pausedRows} new` : texts[state];
  place.dataset.kind = isHeld ? 'paused' : state;
  button.textContent = isPaused ? 'Go on' : 'Pause';
  button.setAttribute('aria-pressed', String(isPaused));
}

function setState(next) {
  state = next;
  showState();
  document.getElementById('away').hidden = next !== 'away';
}

/** Adds new rows at the top and removes those that are too many. */
function addRows(update) {
  const body = document.getElementById('rows');
  if (heldRows) return heldRows.push(update);
  if (!body) return;
  if (isPaused) {
    pausedRows += update.count + update.left_out;
    return showState();
  }
  const template = document.createElement('template');
  template.innerHTML = update.rows;
  const rows = [...template.content.children];
  for (const row of rows) document.getElementById(row.id)?.remove();
  body.prepend(...rows);
  for (const row of rows) globalThis.htmx.process(row);
  while (body.children.length > Number(body.dataset.maxRows)) body.lastElementChild.remove();
  content.querySelector('.empty')?.remove();
}

function handleLine(line) {
  const { changed, ...update } = JSON.parse(line);
  if (changed.includes('cleared')) {
    pausedRows = 0;
    if (heldRows) heldRows = [];
  }
  if (update.rows) addRows(update);
  if (changed.includes('state')) trigger('state');
  if (changed.some((event) => refreshOn.includes(event))) trigger('changed');
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
  // The content says why the stream was refused; the reason may go away.
  if (!response.ok) return retry(current, pollMilliseconds);
  setState('live');
  await readLines(response.body);
  throw new Error('the stream ended');
}

/** Starts the stream for the page's address, and again whenever it ends. A hidden page has none. */
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

const isForContent = ({ detail }) => detail.ctx.target === content;

document.addEventListener('htmx:before:request', (event) => {
  if (isForContent(event)) heldRows ??= [];
});
document.addEventListener('htmx:finally:request', (event) => {
  if (!isForContent(event)) return;
  const updates = heldRows ?? [];
  heldRows = undefined;
  for (const update of updates) addRows(update);
});
document.addEventListener('htmx:after:swap', (event) => {
  if (!isForContent(event)) return;
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
  pausedRows = 0;
  showState();
  if (!isPaused) trigger('look');
});

document.addEventListener('visibilitychange', follow);
// After htmx has started, which fetches the content.
document.addEventListener('DOMContentLoaded', () => setTimeout(follow));
