// What happens in the sandbox, as it happens: one answer that does not end, read line by line.
import { askForKey, keyHere } from './key.js';

const content = document.getElementById('content');
const follows = (content?.dataset.follows ?? '').split(' ');
/** Between tries as long as the server is away, in milliseconds. */
const pauses = [250, 500, 1000, 2000, 5000];

let address;
let reading;
let failures = 0;
const state = { kind: 'connecting', isPaused: false, waiting: 0 };

const list = () => content.querySelector('[data-rows]');
const addressNow = () => list()?.dataset.rows ?? content.dataset.live;
const tell = (name) => document.body.dispatchEvent(new CustomEvent(name));

/** What the list says of itself: content that was fetched anew does not know it. */
function show() {
  const [place, button] = [document.getElementById('live-state'), document.getElementById('pause')];
  if (!list() || !place || !button) return;
  const { kind, isPaused, waiting } = state;
  const words = { live: 'live', connecting: 'connecting', away: 'not connected, trying again' };
  place.textContent = kind === 'live' && isPaused ? `paused, ${waiting} new` : words[kind];
  place.dataset.kind = kind === 'live' && isPaused ? 'paused' : kind;
  button.textContent = isPaused ? 'Go on' : 'Pause';
  button.setAttribute('aria-pressed', String(isPaused));
}

function become(kind) {
  state.kind = kind;
  show();
}

/** New rows stand first; those that there is no room for go. */
function putRows({ rows, count, left_out: leftOut }) {
  const body = document.getElementById('rows');
  if (!body || !list()) return;
  if (state.isPaused) {
    state.waiting += count + leftOut;
    return show();
  }
  const template = document.createElement('template');
  template.innerHTML = rows;
  const added = [...template.content.children];
  for (const row of added) document.getElementById(row.id)?.remove();
  body.prepend(...added);
  for (const row of added) globalThis.htmx.process(row);
  while (body.children.length > Number(list().dataset.maxRows)) body.lastElementChild.remove();
  content.querySelector('.empty')?.remove();
}

function take(line) {
  const { changed, ...told } = JSON.parse(line);
  if (told.rows) putRows(told);
  if (changed.includes('state')) tell('state');
  if (changed.some((what) => follows.includes(what))) tell('changed');
}

async function takeLines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) take(line);
  }
}

/** What happened while nobody listened is not told again: the page is looked at anew. */
function connected() {
  if (failures > 0) {
    tell('state');
    tell('changed');
  }
  failures = 0;
  become('live');
}

/** Follows an address until it is another, and begins again where the answer ends. */
async function follow() {
  reading?.abort();
  const mine = new AbortController();
  reading = mine;
  address = addressNow();
  try {
    const headers = { Authorization: `Bearer ${keyHere()}` };
    const response = await fetch(address, { headers, signal: mine.signal, cache: 'no-store' });
    if (response.status === 401) return askForKey();
    if (response.status === 404) return tell('changed');
    if (!response.ok) throw new Error(`answered ${response.status}`);
    connected();
    await takeLines(response.body);
    throw new Error('the answer ended');
  } catch {
    if (mine.signal.aborted) return;
    become('away');
    const pause = pauses[Math.min(failures, pauses.length - 1)];
    failures += 1;
    setTimeout(() => reading === mine && follow(), pause);
  }
}

document.addEventListener('htmx:after:swap', ({ detail }) => {
  if (detail.ctx.target !== content) return;
  content.removeAttribute('aria-busy');
  show();
  // The list may have another filter by now.
  if (address !== addressNow()) follow();
});

document.addEventListener('click', ({ target }) => {
  if (!target.closest('[data-pause]')) return;
  state.isPaused = !state.isPaused;
  state.waiting = 0;
  show();
  if (!state.isPaused) tell('changed');
});
