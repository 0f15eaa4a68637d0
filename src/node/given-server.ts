// A server that runs already, as the environment names it.

/** Where a server is, and the key of its control API. */
export interface GivenServer {
  readonly url: string;
  readonly adminKey: string;
}

/**
 * What SACHET_BASE_URL and SACHET_ADMIN_KEY name; undefined where there is no such URL.
 * @throws Error where there is a URL only: without its key a server cannot be controlled.
 */
export function givenServer(): GivenServer | undefined {
  const { SACHET_BASE_URL: url, SACHET_ADMIN_KEY: adminKey } = process.env;
  if (!url) return undefined;
  if (adminKey) return { url, adminKey };
  throw new Error(`SACHET_BASE_URL is ${url}, so SACHET_ADMIN_KEY must be the key of its control API; it is not set`);
}
