// Where things stand beside the contract's own paths (product.md, "Addresses").

/** Names of sandboxes. */
export const sandboxName = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** @throws TypeError for what is no name of a sandbox. */
export function requireSandboxName(name: string): string {
  if (sandboxName.test(name)) return name;
  throw new TypeError(`"${name}" is no name of a sandbox such as w7: lower-case letters, digits, ".", "_", "-"`);
}

/** The environment of the plain base URL, and the sandbox of whoever names none. */
export const stage = 'stage';
/** The sandboxes that exist from the start; each is the environment of its name. */
export const builtInSandboxes: readonly string[] = [stage, 'production'];

/**
 * A URL that paths are put behind: without slashes at its end.
 * @throws TypeError for what is no absolute http or https URL.
 */
export function bareUrl(given: string | URL): string {
  const url = String(given);
  if (/^https?:\/\/[^?#\s]+$/i.test(url) && URL.canParse(url) && isOpen(new URL(url))) return url.replace(/\/+$/, '');
  throw new TypeError(`"${url}" is no http or https URL without query and credentials, such as http://localhost:4010`);
}

const isOpen = ({ username, password }: URL): boolean => username === '' && password === '';

/** The base URL of a sandbox by its name, relative to the server. */
export const sandboxBase = (name: string): string => `/sandboxes/${name}`;
/** The object storage, and a label in it, relative to a sandbox's base URL. */
export const storagePath = '/_storage';
export const labelPath = (fulfillmentId: string): string => `${storagePath}/labels/${fulfillmentId}.pdf`;
/** A package's tracking page, relative to a sandbox's base URL. */
export const trackingPath = '/_tracking';
/** The API reference and the documents it shows, relative to a sandbox's base URL. */
export const docsPath = '/_docs';
/** The web console, relative to the server; below it a sandbox's name and a page's. */
export const consolePath = '/_console';
/** Where the console shows what a sandbox receives, relative to the server. */
export const liveRequestsPath = (name: string): string => `${consolePath}/${name}/requests`;
/** Stands in URLs of records for the base URL of the sandbox that they are read from. */
export const baseUrlSlot = '{base_url}';
/** Stands in a carrier's tracking pattern for the number of a package. */
export const trackingNumberSlot = '{tracking_number}';
export const healthPath = '/health';
/** The OpenAPI document of a sandbox, relative to its base URL. */
export const openApiPath = `${docsPath}/openapi.json`;
/** The OpenAPI document of the control API, relative to the server. */
export const controlOpenApiPath = `${docsPath}/control/openapi.json`;

// Path templates such as `/v2/orders/{orderId}`.

const name = /\{(\w+)\}/g;
const never = /(?!)/;

/** The template with something in the place of each name. */
export const filled = (template: string, put: (name: string) => string): string =>
  template.replaceAll(name, (_, one: string) => put(one));

/** The names of a template, in their order. */
export const namesIn = (template: string): string[] => Array.from(template.matchAll(name), ([, one = '']) => one);

const literally = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Whether no two names stand between the same two slashes: where one ends and the next begins, nobody could tell. */
export const isTemplate = (template: string): boolean =>
  template.split('/').every((segment) => namesIn(segment).length <= 1);

/** The paths that a template stands for: where a name is, a part without a slash. Of what is no template, the path itself. */
export const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(isTemplate(template) ? name : never)
      .map((part, at) => (at % 2 === 1 ? '[^/]+' : literally(part)))
      .join('')}$`,
  );

// A word of a command that is pasted into a shell.

/** The text in single quotes, in which nothing has a meaning. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
