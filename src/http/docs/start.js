// Starts swagger-ui in the page, with what the page says in its data. Everything it asks for is of the page's own origin.
const place = document.getElementById('reference');
const { document: documentUrl, server, scheme, token } = place.dataset;

/** Dark where the reader has it dark. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** Calls go where the page came from, whatever name or prefix a proxy gave it. */
const servers = [{ url: new URL(server, location.href).href.replace(/\/$/, '') }];
const ownServer = () => ({
  statePlugins: {
    spec: { wrapActions: { updateJsonSpec: (update) => (document) => update({ ...document, servers }) } },
  },
});

const ui = globalThis.SwaggerUIBundle({
  domNode: place,
  url: new URL(documentUrl, location.href).href,
  plugins: [ownServer],
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  showExtensions: true,
  validatorUrl: null,
  onComplete: () => {
    if (token) ui.preauthorizeApiKey(scheme, token);
  },
});
