// Starts the PostgreSQL server of a run. Tests find its URL in TEST_POSTGRES, and create their own databases.
import { postgresMissing, startPostgres } from './server.ts';

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const missing = postgresMissing();
  if (missing) {
    console.warn(`skipped: the tests with PostgreSQL: ${missing}`);
    return undefined;
  }
  const server = await startPostgres();
  process.env.TEST_POSTGRES = server.url;
  return () => server.close();
}
