// The key. The link has it in its fragment, which browsers do not send. It is stored in this tab only, and sent in a
// header of every request.
const content = document.getElementById('content');
/** The key of this page's sandbox, then the one entered last. */
const storageKeys = [`sachet key of ${content?.dataset.sandbox ?? ''}`, 'sachet key'];

export const storedKey = () => sessionStorage.getItem(storageKeys[0]) ?? sessionStorage.getItem(storageKeys[1]);
/** A header can hold visible ASCII characters only. */
const isKey = (text) => /^[!-~]+$/.test(text);
const store = (key) => {
  for (const name of storageKeys) sessionStorage.setItem(name, key);
};

const keyInLink = new URLSearchParams(location.hash.slice(1)).get('key');
if (keyInLink !== null) {
  if (isKey(keyInLink)) store(keyInLink);
  history.replaceState(null, '', location.pathname + location.search);
}

const dialog = document.getElementById('key');
let hasWarned = false;

/** Opens the dialog for the key; the page reloads after it. */
export function askForKey() {
  if (!dialog || dialog.open) return;
  if (storedKey() && !hasWarned) {
    hasWarned = true;
    document.getElementById('key-words').prepend("That key doesn't work for this sandbox. ");
  }
  dialog.showModal();
}

// Pasting a link over an open page changes only the fragment.
addEventListener('hashchange', () => location.reload());

document.getElementById('key-form').addEventListener('submit', (event) => {
  const input = document.getElementById('key-input');
  const key = input.value.trim();
  input.setCustomValidity(isKey(key) ? '' : 'This is not a key: use visible ASCII characters only.');
  if (!input.reportValidity()) return event.preventDefault();
  store(key);
  location.reload();
});
document.getElementById('key-input').addEventListener('input', ({ target }) => target.setCustomValidity(''));

document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  const key = storedKey();
  if (key) ctx.request.headers.Authorization = `Bearer ${key}`;
});
document.addEventListener('htmx:before:response', (event) => {
  const { status, headers } = event.detail.ctx.response;
  // Only HTML goes into the page.
  if (status !== 401 && headers.get('content-type')?.startsWith('text/html')) return;
  event.preventDefault();
  if (status === 401) askForKey();
});
