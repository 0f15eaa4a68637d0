// Paths other than the contract's own endpoints, names of sandboxes, and path templates.

/** Names of sandboxes. They are parts of paths and logins. */
export const sandboxName = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** @throws TypeError if it is not the name of a sandbox */
export function requireSandboxName(name: string): string {
  if (sandboxName.test(name)) return name;
  throw new TypeError(`"${name}" is not a sandbox name. Use lowercase letters, digits, ".", "_" and "-", such as w7`);
}

/** The environment and sandbox of the plain base URL. */
export const stage = 'stage';
/** The sandboxes that exist from the start. Each is the environment of its name. */
export const builtInSandboxes: readonly string[] = [stage, 'production'];

/**
 * A base URL without slashes at its end.
 * @throws TypeError if it is not an absolute http or https URL, or has credentials or a query
 */
export function bareUrl(given: string | URL): string {
  const url = String(given);
  const isUrl = /^https?:\/\/[^?#\s]+$/i.test(url) && URL.canParse(url) && !hasCredentials(new URL(url));
  if (isUrl) return url.replace(/\/+$/, '');
  throw new TypeError(
    `"${url}" is not an http or https URL without query and credentials, such as http://localhost:4010`,
  );
}

/**
 * The host of a Sachet in process. No machine has this name (RFC 6761): it appears in the error of a client that does
 * not use the handle's `fetch`.
 */
export const inProcessHost = 'sachet.invalid';

const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== '';

/** The base URL of a sandbox by its name, relative to the server. */
export const sandboxBase = (name: string): string => `/sandboxes/${name}`;
/** The object storage, and a label in it, relative to a sandbox's base URL. */
export const storagePath = '/_storage';
export const labelPath = (fulfillmentId: string): string => `${storagePath}/labels/${fulfillmentId}.pdf`;
/** The id in such a path; undefined for another path. */
export const labelIdIn = (path: string): string | undefined =>
  path.startsWith(`${storagePath}/labels/`) ? /\/([^/]+)\.pdf$/.exec(path)?.[1] : undefined;
/** A package's tracking page, relative to a sandbox's base URL. */
export const trackingPath = '/_tracking';
/** The API reference and the documents it shows, relative to a sandbox's base URL. */
export const docsPath = '/_docs';
/** The web console, relative to the server. Its pages are below `/{sandbox}/`. */
export const consolePath = '/_console';
/** The first page of the console of a sandbox, relative to the server. */
export const consoleStartPath = (name: string): string => `${consolePath}/${name}/start`;
/** In URLs of records, the place of the base URL of the sandbox that they are read from. */
export const baseUrlSlot = '{base_url}';
/** In the tracking URL of a carrier, the place of the tracking number. */
export const trackingNumberSlot = '{tracking_number}';
/** The MCP server for coding agents (Streamable HTTP), relative to the server. */
export const mcpPath = '/_mcp';
export const healthPath = '/health';
/** The OpenAPI document of a sandbox, relative to its base URL. */
export const openApiPath = `${docsPath}/openapi.json`;
/** The OpenAPI document of the control API, relative to the server. */
export const controlOpenApiPath = `${docsPath}/control/openapi.json`;

/** The forms of the OpenAPI documents, as their parameter `version` names them; the first is the default. */
export const openApiVersions = ['3.1', '3.0'] as const;
/** @example const version: OpenApiVersion = '3.0'; */
export type OpenApiVersion = (typeof openApiVersions)[number];

/** A name in a path template such as `/v2/orders/{orderId}`. */
const name = /\{(\w+)\}/g;
const never = /(?!)/;

/** Replaces each name in the template. */
export const filled = (template: string, replace: (name: string) => string): string =>
  template.replaceAll(name, (_, one: string) => replace(one));

/** The names in the template, in order. */
export const namesIn = (template: string): string[] => Array.from(template.matchAll(name), ([, one = '']) => one);

/** The text as a part of a regular expression that matches it literally. */
export const escapeRegExp = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** At most one name between two slashes: a pattern with two of them could match in very many ways. */
export const isTemplate = (template: string): boolean =>
  template.split('/').every((segment) => namesIn(segment).length <= 1);

/** Matches the paths of a template, with a part without a slash for each name. Matches other texts literally. */
export const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(isTemplate(template) ? name : never)
      .map((part, at) => (at % 2 === 1 ? '[^/]+' : escapeRegExp(part)))
      .join('')}$`,
  );

/** The text as one word of a shell command, in single quotes. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The values of a query by name, as hapi passes them to Joi: a repeated name has an array. */
export function queryValues(search: string): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search)) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(Array.from(values, ([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]));
}
