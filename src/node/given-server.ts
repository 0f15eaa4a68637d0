// A server that runs already, as the environment names it.
import type { ConnectOptions } from '../client/sachet.ts';

/**
 * What SACHET_BASE_URL and SACHET_ADMIN_KEY name; undefined where there is no such URL.
 * @throws Error where there is a URL only: without its key a server cannot be controlled.
 */
export function givenServer(): ConnectOptions | undefined {
  const { SACHET_BASE_URL: url, SACHET_ADMIN_KEY: adminKey } = process.env;
  if (!url) return undefined;
  if (adminKey) return { url, adminKey };
  throw new Error(`SACHET_BASE_URL is ${url}, so SACHET_ADMIN_KEY must be the key of its control API; it is not set`);
}
