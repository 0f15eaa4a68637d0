// Claims the sandbox with the token of the invite link, and shows what the server hands out. The token is in the
// fragment of the link, which browsers do not send: only the button uses it, so a link preview cannot use it up.
const { sandbox } = document.getElementById('content').dataset;
const token = new URLSearchParams(location.hash.slice(1)).get('token');
const button = document.getElementById('claim');
const problem = document.getElementById('claim-problem');

async function claim() {
  const response = await fetch('../_admin/claim', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sandbox, token }),
  });
  const answer = await response.json();
  if (response.ok) return show(answer);
  problem.textContent = `${answer.message}.`;
  const isOver = response.status === 410;
  button.hidden = isOver;
  document.getElementById('claim-over').hidden = !isOver;
}

function show({ base_url, logins: [login], key }) {
  const texts = { base: base_url, username: login?.username, password: login?.password, key };
  for (const [name, text] of Object.entries(texts))
    document.getElementById(`claimed-${name}`).textContent = text ?? '–';
  document.getElementById('invite').hidden = true;
  document.getElementById('claimed').hidden = false;
  // The console takes the key from the fragment, and keeps it in this tab.
  const console = new URL(`${sandbox}/start#key=${encodeURIComponent(key)}`, document.baseURI).href;
  document.getElementById('claimed-open').addEventListener('click', () => location.assign(console));
}

// Pasting a link over the open page changes only the fragment. A login that the page shows stays.
addEventListener('hashchange', () => document.getElementById('invite').hidden || location.reload());
button.disabled = token === null;
if (token === null) problem.textContent = 'This link is incomplete: copy all of it, also the part after #.';
button.addEventListener('click', async () => {
  button.disabled = true;
  problem.textContent = '';
  await claim().catch(() => {
    problem.textContent = 'The server does not answer. Try again.';
  });
  button.disabled = false;
});
