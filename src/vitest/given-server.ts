// A server that runs already, as the environment names it.
import type { RunServer } from './server.ts';

/** @throws Error where only one of the two is set: without its key a server cannot be controlled. */
export function givenServer(): RunServer | undefined {
  const { SACHET_BASE_URL: url, SACHET_ADMIN_KEY: adminKey } = process.env;
  if (!url) return undefined;
  if (!adminKey) throw new Error(`SACHET_BASE_URL is ${url}; SACHET_ADMIN_KEY must be the key of its control API`);
  return { url, adminKey };
}
