// What happens in the sandbox, as it happens: one answer that does not end, read line by line. The page is looked at once that answer has
// begun, so nothing that happens falls between the two.
import { askForKey, keyHere } from './key.js';

const content = document.getElementById('content');
const follows = content.dataset.follows.split(' ');
/** Between tries as long as the server is away, in milliseconds. */
const pauses = [250, 500, 1000, 2000, 5000];
const words = {
  live: 'live',
  connecting: 'connecting',
  away: 'not connected, trying again',
  looking: 'looking every 2 s',
};

let reading;
/** Whether the page looks now and then, because others follow. */
let isLooking = false;
let failures = 0;
let kind = 'connecting';
let isPaused = false;
/** How many rows a reader who paused has not seen. */
let unseen = 0;
/** Rows that came while the list was fetched anew; undefined while it is not. */
let held;

const tell = (name) => document.body.dispatchEvent(new CustomEvent(name));

/** Rows come by the filter that the address says; older ones, and other pages, get none. */
function address() {
  const query = new URLSearchParams(location.search);
  if (!('rows' in content.dataset) || query.has('before')) return content.dataset.live;
  query.set('rows', '1');
  return `${content.dataset.live}?${query}`;
}

/** What the list says of itself: content that was fetched anew does not know it. */
function show() {
  const [place, button] = [document.getElementById('live-state'), document.getElementById('pause')];
  if (!place || !button) return;
  const isStill = kind === 'live' && isPaused;
  place.textContent = isStill ? `paused, ${unseen} new` : words[kind];
  place.dataset.kind = isStill ? 'paused' : kind;
  button.textContent = isPaused ? 'Go on' : 'Pause';
  button.setAttribute('aria-pressed', String(isPaused));
}

/** That the server is away is said on every page, as long as it is. */
function become(now) {
  kind = now;
  show();
  document.getElementById('away').hidden = now !== 'away';
}

/** New rows stand first; those that there is no room for go. */
function putRows(told) {
  const body = document.getElementById('rows');
  if (held) return held.push(told);
  if (!body) return;
  if (isPaused) {
    unseen += told.count + told.left_out;
    return show();
  }
  const template = document.createElement('template');
  template.innerHTML = told.rows;
  const added = [...template.content.children];
  for (const row of added) document.getElementById(row.id)?.remove();
  body.prepend(...added);
  for (const row of added) globalThis.htmx.process(row);
  while (body.children.length > Number(body.dataset.maxRows)) body.lastElementChild.remove();
  content.querySelector('.empty')?.remove();
}

function take(line) {
  const { changed, ...told } = JSON.parse(line);
  if (changed.includes('cleared')) {
    unseen = 0;
    if (held) held = [];
  }
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

function lookAnew() {
  tell('state');
  tell('look');
}

/** A browser opens six connections to a server, and each page that follows holds one: so many of them may, the others look now and then. */
const places = 4;
const lookEvery = 2000;

/** Has it done in one of the places; gives whether there was one. Where the browser keeps no count, there is. */
async function inPlace(act) {
  if (!navigator.locks) return act().then(() => true);
  for (let place = 0; place < places; place += 1) {
    const take = async (lock) => lock !== null && act().then(() => true);
    if (await navigator.locks.request(`sachet live ${place}`, { ifAvailable: true }, take)) return true;
  }
  return false;
}

const again = (mine, milliseconds) => setTimeout(() => reading === mine && follow(), milliseconds);

/** Reads the answer that does not end, until it does. */
async function read(mine) {
  const headers = { Authorization: `Bearer ${keyHere()}` };
  const response = await fetch(address(), { headers, signal: mine.signal, cache: 'no-store' });
  if (response.status === 401) return askForKey();
  if (response.status >= 500) throw new Error(`answered ${response.status}`);
  lookAnew();
  failures = 0;
  isLooking = false;
  // What is refused says so in the page, and may be there later.
  if (!response.ok) return again(mine, lookEvery);
  become('live');
  await takeLines(response.body);
  throw new Error('the answer ended');
}

/** Follows what the address says, until it says another, and begins again where the answer ends. A page that nobody sees follows nothing. */
export async function follow() {
  reading?.abort();
  if (document.hidden) return;
  const mine = new AbortController();
  reading = mine;
  try {
    if (await inPlace(() => read(mine))) return;
    isLooking = true;
    lookAnew();
    again(mine, lookEvery);
  } catch {
    if (mine.signal.aborted) return;
    become('away');
    again(mine, pauses[Math.min(failures, pauses.length - 1)]);
    failures += 1;
  }
}

const isOfContent = ({ detail }) => detail.ctx.target === content;

document.addEventListener('htmx:before:request', (event) => {
  if (isOfContent(event)) held ??= [];
});
document.addEventListener('htmx:finally:request', (event) => {
  if (!isOfContent(event)) return;
  const rows = held ?? [];
  held = undefined;
  for (const told of rows) putRows(told);
});
document.addEventListener('htmx:after:swap', (event) => {
  if (!isOfContent(event)) return;
  content.removeAttribute('aria-busy');
  if (isLooking) become('looking');
  show();
});
document.addEventListener('htmx:error', () => {
  if (isLooking) become('away');
});

document.addEventListener('click', ({ target }) => {
  if (!target.closest('[data-pause]')) return;
  isPaused = !isPaused;
  unseen = 0;
  show();
  if (!isPaused) tell('look');
});

document.addEventListener('visibilitychange', follow);
// What fetches the page is there by then.
document.addEventListener('DOMContentLoaded', () => setTimeout(follow));
