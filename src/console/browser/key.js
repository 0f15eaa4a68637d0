// The key: it comes in the link's fragment, which is never sent, is kept in this tab alone, and goes with every call as a header.
const content = document.getElementById('content');
const sandbox = content?.dataset.sandbox ?? '';
const names = [`sachet key of ${sandbox}`, 'sachet key'];

/** The key for this page's sandbox; else the one that was entered last. */
export const keyHere = () => sessionStorage.getItem(names[0]) ?? sessionStorage.getItem(names[1]);
/** What can stand in a header: anything else is no key of a server. */
const isKey = (text) => /^[!-~]+$/.test(text);
const keep = (key) => {
  for (const name of names) sessionStorage.setItem(name, key);
};

const given = new URLSearchParams(location.hash.slice(1)).get('key');
if (given !== null) {
  if (isKey(given)) keep(given);
  history.replaceState(null, '', location.pathname + location.search);
}

const dialog = document.getElementById('key');
let wasWrong = false;

/** Asks for the key; a page that is looked at again has it. */
export function askForKey() {
  if (!dialog || dialog.open) return;
  if (keyHere() && !wasWrong) {
    wasWrong = true;
    document.getElementById('key-words').prepend('The key that this tab has is not good here. ');
  }
  dialog.showModal();
}

// A link that is pasted over an open page changes its fragment alone.
addEventListener('hashchange', () => location.reload());

document.getElementById('key-form').addEventListener('submit', (event) => {
  const input = document.getElementById('key-input');
  const key = input.value.trim();
  input.setCustomValidity(isKey(key) ? '' : 'A key has visible ASCII characters alone.');
  if (!input.reportValidity()) return event.preventDefault();
  keep(key);
  location.reload();
});
document.getElementById('key-input').addEventListener('input', ({ target }) => target.setCustomValidity(''));

document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  const key = keyHere();
  if (key) ctx.request.headers.Authorization = `Bearer ${key}`;
});
document.addEventListener('htmx:before:response', (event) => {
  const { status, headers } = event.detail.ctx.response;
  // Only what is meant for a page becomes part of it.
  const isPart = headers.get('content-type')?.startsWith('text/html');
  if (status !== 401 && isPart) return;
  event.preventDefault();
  if (status === 401) askForKey();
});
