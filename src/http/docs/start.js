// Starts swagger-ui with the data attributes of the page. Loads only from the page's own origin.
const place = document.getElementById('reference');
const { document: documentUrl, server, scheme, token, sandbox } = place.dataset;

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** The page's own server, also behind a proxy with a path prefix. */
const servers = [{ url: new URL(server, location.href).href.replace(/\/$/, '') }];

/** Sets the page's sandbox as the example of the parameter `sandbox`. */
const withSandbox = (operation) => ({
  ...operation,
  parameters: operation.parameters?.map((one) => (one.name === 'sandbox' ? { ...one, example: sandbox } : one)),
});
const each = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
const adapted = (document) => ({
  ...document,
  servers,
  paths: each(document.paths ?? {}, (path) => each(path, withSandbox)),
});

/** Keeps an entered key while the tab is open, because each document is a page of its own. */
const storageKey = `${scheme} ${sandbox}`;
const onAuthorize = (authorize) => (credentials) => {
  if (!token && credentials[scheme]) sessionStorage.setItem(storageKey, credentials[scheme].value);
  return authorize(credentials);
};
const onLogout = (logout) => (names) => {
  if (!token) sessionStorage.removeItem(storageKey);
  return logout(names);
};

const plugin = () => ({
  statePlugins: {
    spec: { wrapActions: { updateJsonSpec: (update) => (document) => update(adapted(document)) } },
    auth: { wrapActions: { authorize: onAuthorize, logout: onLogout } },
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
    const key = token || sessionStorage.getItem(storageKey);
    if (key) ui.preauthorizeApiKey(scheme, key);
  },
});
