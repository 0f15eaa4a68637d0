// What a page does by itself: the clock goes on, texts are copied, a request opens beside the list, another sandbox is chosen, filters act.
import { follow } from './live.js';

const content = document.getElementById('content');
const drawer = document.getElementById('drawer');
const notice = document.getElementById('notice');

// The clock, moved on from where the server saw it.
const seen = new WeakMap();
function tick() {
  for (const place of document.querySelectorAll('[data-clock]')) {
    const { clock, rate } = place.dataset;
    const before = seen.get(place);
    const isSame = before?.clock === clock && before.rate === rate;
    const from = isSame ? before : { clock, rate, at: performance.now() };
    seen.set(place, from);
    const now = new Date(Date.parse(clock) + (performance.now() - from.at) * Number(rate));
    const text = Number.isNaN(now.getTime()) ? clock : now.toISOString();
    place.textContent = text.slice(0, 19).replace('T', ' ');
  }
}
setInterval(tick, 250);

// Copying: where the page may not use the clipboard, the text is selected for the reader to copy.
async function copy(button) {
  const text = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(text);
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  if (button?.dataset.copy) copy(button);
  if (button && 'close' in button.dataset) drawer.close();
  if (button && 'skip' in button.dataset) content.focus();
  if (target === drawer) drawer.close();
  openRow(target);
});

/** A row opens its request, wherever it is pressed; not where text is chosen to be copied. */
function openRow(target) {
  const row = target.closest('#rows tr');
  if (!row || target.closest('a, button') || getSelection().toString() !== '') return;
  row.querySelector('a').click();
}

// Going back from a request that lies over the page closes it.
function openDrawer() {
  if (drawer.open) return;
  drawer.showModal();
  history.pushState({ isOverlaid: true }, '');
}
drawer.addEventListener('close', () => {
  if (history.state?.isOverlaid) history.back();
});
addEventListener('popstate', () => {
  if (drawer.open) drawer.close();
});

/** The page's path below the console's own, as `stage/orders`. */
const pathHere = () => location.pathname.slice(new URL(document.baseURI).pathname.length);

function goToSandbox(name) {
  const [, page] = pathHere().split('/');
  location.href = new URL(`${encodeURIComponent(name)}/${page}`, document.baseURI).href;
}

// By arrow keys one walks through the list, and Enter chooses; a pointer chooses at once.
let isByKeyboard = false;
document.addEventListener('pointerdown', () => {
  isByKeyboard = false;
});
document.addEventListener('keydown', ({ key, target }) => {
  isByKeyboard = true;
  if (key === 'Enter' && 'switch' in target.dataset) goToSandbox(target.value);
});
document.addEventListener('change', ({ target }) => {
  if ('switch' in target.dataset && !isByKeyboard) goToSandbox(target.value);
});

// What had the focus may be gone when the page was looked at again, as a button is that was pressed: then the page has it, not another button.
let hadFocus = false;
document.addEventListener('focusin', ({ target }) => {
  hadFocus = content.contains(target);
});
function keepFocus() {
  if (hadFocus && document.activeElement === document.body) content.focus({ preventScroll: true });
}

// Filters act as one types; the address says them, so that it can be kept.
let typing;
function filter(form) {
  const given = [...new FormData(form)].filter(([, value]) => value !== '');
  const query = new URLSearchParams(given).toString();
  history.replaceState(null, '', location.pathname + (query && `?${query}`));
  content.setAttribute('hx-get', content.getAttribute('hx-get').split('?')[0]);
  follow();
}
document.addEventListener('input', ({ target }) => {
  const form = target.closest('[data-filter]');
  if (!form) return;
  clearTimeout(typing);
  typing = setTimeout(() => filter(form), 200);
});
document.addEventListener('submit', (event) => {
  if (!('filter' in event.target.dataset)) return;
  event.preventDefault();
  filter(event.target);
});

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (ctx.target?.id === 'drawer-content') openDrawer();
  keepFocus();
  tick();
});

// What was done is said, and goes by itself; what was refused stays until the next.
let fading;
new MutationObserver(() => {
  clearTimeout(fading);
  if (notice.querySelector('.done')) fading = setTimeout(() => notice.replaceChildren(), 4000);
}).observe(notice, { childList: true });
