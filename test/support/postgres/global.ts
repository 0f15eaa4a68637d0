// The PostgreSQL server that the tests of a run share, each in databases of its own. Workers find it by its URL in TEST_POSTGRES.
import { postgresMissing, startPostgres } from './server.ts';

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const missing = postgresMissing();
  if (missing) {
    console.warn(`skipped: the tests over PostgreSQL: ${missing}`);
    return undefined;
  }
  const server = await startPostgres();
  process.env.TEST_POSTGRES = server.url;
  return () => server.close();
}
