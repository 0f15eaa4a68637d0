// What the tables of a database have.
import { ask } from './schema.ts';

const ofSandboxes = ['changes', 'documents', 'journals', 'journal_rows'] as const;

/** How many rows each table has, of one sandbox or of all. */
export async function rowCounts(url: string): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const table of ['sandboxes', ...ofSandboxes]) {
    const [row] = await ask(url, `select count(*)::int as n from ${table}`);
    counted[table] = row?.n;
  }
  return counted;
}

/** The versions whose change lists are kept, of a database of one sandbox. */
export async function versionsIn(url: string): Promise<number[]> {
  const lists = await ask(url, 'select version::int from changes order by version');
  return lists.map(({ version }) => version);
}
