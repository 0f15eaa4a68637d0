// The behavior of a page: the clock, relative times, dialogs, the choice of the sandbox, filters, dropped files.
import { follow } from './live.js';

const content = document.getElementById('content');
const requestDialog = document.getElementById('request-dialog');
const notice = document.getElementById('notice');
const notices = document.getElementById('notices');
notices.showPopover();

/** The same as `formatTime` of the server. */
function formatTime(date) {
  const [, day, month, year, time] = date.toUTCString().split(/,? /);
  return `${month} ${Number(day)}, ${year}, ${time} UTC`;
}

/** For each clock, the time from the server and when it arrived. */
const clocks = new WeakMap();
function tick() {
  for (const place of document.querySelectorAll('[data-clock]')) {
    const { clock, rate } = place.dataset;
    const known = clocks.get(place);
    const isSame = known?.clock === clock && known.rate === rate;
    const start = isSame ? known : { clock, rate, at: performance.now() };
    clocks.set(place, start);
    const now = new Date(Date.parse(clock) + (performance.now() - start.at) * Number(rate));
    place.textContent = Number.isNaN(now.getTime()) ? clock : formatTime(now);
    if (!Number.isNaN(now.getTime())) writeAges(now);
  }
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
function formatAge(seconds) {
  const [unit, length] = units.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / length), unit);
}

/** Writes instants relative to the sandbox's time. */
function writeAges(now) {
  for (const place of document.querySelectorAll('[data-ago]'))
    place.textContent = formatAge((Date.parse(place.dataset.ago) - now) / 1000);
}
setInterval(tick, 250);

/** A click anywhere in a row opens its request, unless it selects text. */
function openRow(target) {
  const row = target.closest('#rows tr');
  if (!row || target.closest('a, button') || getSelection().toString() !== '') return;
  row.querySelector('a').click();
}

document.addEventListener('click', ({ target, clientX, clientY }) => {
  const button = target.closest('button');
  if (button?.dataset.dialog) document.getElementById(button.dataset.dialog).showModal();
  if (button && 'close' in button.dataset) button.closest('dialog').close();
  if (button && 'skip' in button.dataset) content.focus();
  if (target.matches('dialog:not(#key)')) closeOnBackdrop(target, clientX, clientY);
  openRow(target);
});

/** A click on the backdrop of a dialog closes it. */
function closeOnBackdrop(dialog, x, y) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  if (x < left || x > right || y < top || y > bottom) dialog.close();
}

// The browser's back button closes the dialog.
function openDialog() {
  if (requestDialog.open) return;
  requestDialog.showModal();
  history.pushState({ isDialog: true }, '');
}
requestDialog.addEventListener('close', () => {
  if (history.state?.isDialog) history.back();
});
addEventListener('popstate', () => {
  if (requestDialog.open) requestDialog.close();
});

function switchSandbox(name) {
  // The path below the console's own, such as `stage/orders`.
  const path = location.pathname.slice(new URL(document.baseURI).pathname.length);
  location.href = new URL(`${encodeURIComponent(name)}/${path.split('/')[1]}`, document.baseURI).href;
}

// With the keyboard, arrows walk through the list and Enter chooses; with a pointer, a click chooses.
let usesKeyboard = false;
document.addEventListener('pointerdown', () => {
  usesKeyboard = false;
});
document.addEventListener('keydown', ({ key, target }) => {
  usesKeyboard = true;
  if (key === 'Enter' && 'switch' in target.dataset) switchSandbox(target.value);
});
document.addEventListener('change', ({ target }) => {
  if ('switch' in target.dataset && !usesKeyboard) switchSandbox(target.value);
});

// A refresh may remove the element with the focus, such as a pressed button. Then the content gets it, not the next
// button.
let hadFocus = false;
document.addEventListener('focusin', ({ target }) => {
  hadFocus = content.contains(target);
});
function keepFocus() {
  if (hadFocus && document.activeElement === document.body) content.focus({ preventScroll: true });
}

// Filters apply while typing, and go into the address, so that it can be bookmarked.
let typing;
function applyFilter(form) {
  const fields = [...new FormData(form)].filter(([, value]) => value !== '');
  const query = new URLSearchParams(fields).toString();
  history.replaceState(null, '', location.pathname + (query && `?${query}`));
  content.setAttribute('hx-get', content.getAttribute('hx-get').split('?')[0]);
  follow();
}
document.addEventListener('input', ({ target }) => {
  const form = target.closest('[data-filter]');
  if (!form) return;
  clearTimeout(typing);
  typing = setTimeout(() => applyFilter(form), 200);
});
document.addEventListener('submit', (event) => {
  if (!('filter' in event.target.dataset)) return;
  event.preventDefault();
  applyFilter(event.target);
});

// A file that is dropped on a page with a file field goes into the field, and its form is sent.
const fileField = () => content.querySelector('[type="file"]');
document.addEventListener('dragover', (event) => {
  if (fileField()) event.preventDefault();
});
document.addEventListener('drop', (event) => {
  const field = fileField();
  if (!field || event.dataTransfer.files.length === 0) return;
  event.preventDefault();
  field.files = event.dataTransfer.files;
  field.form.requestSubmit();
});

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (ctx.target?.id === 'request-dialog-content') openDialog();
  keepFocus();
  tick();
});

// A success message disappears; a refusal stays until a click on it, or the next message.
notice.addEventListener('click', () => {
  if (getSelection().toString() === '') notice.replaceChildren();
});
let fading;
new MutationObserver(() => {
  clearTimeout(fading);
  const isDone = notice.querySelector('.done') !== null;
  if (isDone) content.querySelector('dialog[open]')?.close();
  // Above a dialog that has opened since.
  notices.hidePopover();
  notices.showPopover();
  if (isDone) fading = setTimeout(() => notice.replaceChildren(), 4000);
}).observe(notice, { childList: true });
