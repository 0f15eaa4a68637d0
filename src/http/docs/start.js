// Starts swagger-ui in the page, with what the page says in its data. Everything it asks for is of the page's own origin.
const place = document.getElementById('reference');
const { document: documentUrl, server, scheme, token, sandbox } = place.dataset;

/** Dark where the reader has it dark. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** Calls go where the page came from, whatever name or prefix a proxy gave it. */
const servers = [{ url: new URL(server, location.href).href.replace(/\/$/, '') }];

/** The control API's calls are tried on the sandbox that the page is of. */
const named = (operation) => ({
  ...operation,
  parameters: operation.parameters?.map((one) => (one.name === 'sandbox' ? { ...one, example: sandbox } : one)),
});
const each = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
const own = (document) => ({ ...document, servers, paths: each(document.paths ?? {}, (path) => each(path, named)) });

/** A key that was entered for this sandbox is kept as long as the tab is open: the other document is another page. */
const keptAs = `${scheme} ${sandbox}`;
const kept = { get: () => sessionStorage.getItem(keptAs), set: (key) => sessionStorage.setItem(keptAs, key) };
const authorized = (authorize) => (given) => {
  if (!token && given[scheme]) kept.set(given[scheme].value);
  return authorize(given);
};
const forgotten = (logout) => (names) => {
  if (!token) sessionStorage.removeItem(keptAs);
  return logout(names);
};

const plugin = () => ({
  statePlugins: {
    spec: { wrapActions: { updateJsonSpec: (update) => (document) => update(own(document)) } },
    auth: { wrapActions: { authorize: authorized, logout: forgotten } },
  },
});

const ui = globalThis.SwaggerUIBundle({
  domNode: place,
  url: new URL(documentUrl, location.href).href,
  plugins: [plugin],
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  showExtensions: true,
  validatorUrl: null,
  onComplete: () => {
    const key = token || kept.get();
    if (key) ui.preauthorizeApiKey(scheme, key);
  },
});
