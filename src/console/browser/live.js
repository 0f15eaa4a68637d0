// What happens in the sandbox, as it happens: one answer that does not end, read line by line.
import { askForKey, keyHere } from './key.js';

const content = document.getElementById('content');
const follows = (content?.dataset.follows ?? '').split(' ');
/** Longer and longer, in milliseconds, as long as the server is away. */
const pauses = [250, 500, 1000, 2000, 5000];

let failures = 0;
let address;
let reading;
let isPaused = false;
let waiting = 0;

const section = () => content.querySelector('[data-rows]');
const addressNow = () => section()?.dataset.rows || content.dataset.live;

function say(words, kind = '') {
  const place = document.getElementById('live-state');
  if (!place || !section()) return;
  place.textContent = words;
  place.dataset.kind = kind;
}

const tell = (name) => document.body.dispatchEvent(new CustomEvent(name));

/** New rows stand first; those that there is no room for go. */
function putRows({ rows, count, left_out: leftOut }) {
  const body = document.getElementById('rows');
  if (!body) return;
  if (isPaused) {
    waiting += count + leftOut;
    say(`paused, ${waiting} new`, 'paused');
    return;
  }
  const template = document.createElement('template');
  template.innerHTML = rows;
  for (const row of template.content.children) document.getElementById(row.id)?.remove();
  const added = [...template.content.children];
  body.prepend(...added);
  for (const row of added) window.htmx.process(row);
  while (body.children.length > Number(section()?.dataset.maxRows ?? 100)) body.lastElementChild.remove();
  content.querySelector('.empty')?.remove();
}

function take(line) {
  const told = JSON.parse(line);
  if (told.rows) putRows(told);
  if (told.changed.includes('state')) tell('state');
  if (told.changed.some((what) => follows.includes(what))) tell('changed');
}

async function readLines(body) {
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

/** Follows the address until it is another, and begins again where the stream ends. */
async function follow(to) {
  reading?.abort();
  const mine = new AbortController();
  reading = mine;
  try {
    const headers = { Authorization: `Bearer ${keyHere()}` };
    const response = await fetch(to, { headers, signal: mine.signal, cache: 'no-store' });
    if (response.status === 401) return askForKey();
    if (!response.ok) throw new Error(String(response.status));
    if (failures > 0) {
      // What happened meanwhile is not told again: the page is looked at anew.
      tell('state');
      tell('changed');
    }
    failures = 0;
    if (!isPaused) say('live', 'live');
    await readLines(response.body);
    throw new Error('the stream ended');
  } catch {
    if (mine.signal.aborted) return;
    say('not connected, trying again', 'away');
    const pause = pauses[Math.min(failures, pauses.length - 1)];
    failures += 1;
    setTimeout(() => mine === reading && follow(addressNow()), pause);
  }
}

/** The list may have another filter by now. */
function begin() {
  if (!content?.dataset.live || address === addressNow()) return;
  address = addressNow();
  follow(address);
}

document.addEventListener('htmx:after:swap', ({ detail }) => {
  if (detail.ctx.target !== content) return;
  content.removeAttribute('aria-busy');
  begin();
});

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-pause]');
  if (!button) return;
  isPaused = !isPaused;
  waiting = 0;
  button.setAttribute('aria-pressed', String(isPaused));
  button.textContent = isPaused ? 'Go on' : 'Pause';
  say(isPaused ? 'paused' : 'live', isPaused ? 'paused' : 'live');
  if (!isPaused) tell('changed');
});
