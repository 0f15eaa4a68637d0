// Keys of the list of requests: j and k focus the next and the previous row, Enter opens it as any link, / goes to the
// search, ? shows the keys. In a field, in a dialog and with a modifier, keys keep their usual meaning.
const rowLinks = () => [...document.querySelectorAll('#rows th a')];

function moveBy(step) {
  const links = rowLinks();
  const current = links.findIndex((link) => link.closest('tr').contains(document.activeElement));
  // From elsewhere, the first row is next.
  const next = current < 0 ? links[0] : links[current + step];
  next?.focus();
}

const acts = {
  j: () => moveBy(1),
  k: () => moveBy(-1),
  '/': () => document.getElementById('filter-text')?.select(),
  '?': () => document.querySelector('[data-dialog=shortcuts]')?.click(),
};

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isTyping = target.closest('input, select, textarea, dialog[open]') !== null;
  if (isTyping || ctrlKey || metaKey || altKey || !Object.hasOwn(acts, key)) return;
  if (!document.getElementById('filter-text')) return;
  event.preventDefault();
  acts[key]();
});

// Enter in the search leaves it, so that the next j goes to the first row.
document.addEventListener('submit', ({ target }) => {
  if (target.id === 'filter') document.getElementById('content').focus({ preventScroll: true });
});
