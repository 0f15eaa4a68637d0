// What the tables of a database have.
import { ask } from './schema.ts';

const ofSandboxes = ['change_lists', 'epochs', 'snapshots', 'rows'] as const;

/** How many rows each table has, of one sandbox or of all. */
export async function rowCounts(url: string): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const table of ['sandboxes', ...ofSandboxes]) {
    const [row] = await ask(url, `select count(*)::int as n from ${table}`);
    counted[table] = row?.n;
  }
  return counted;
}

/** The epochs of a database of one sandbox, and those that have rows. */
export async function epochsIn(url: string): Promise<{ readonly epochs: number[]; readonly ofRows: number[] }> {
  const epochs = await ask(url, 'select epoch from epochs order by epoch');
  const ofRows = await ask(url, 'select distinct epoch from rows order by epoch');
  return { epochs: epochs.map(({ epoch }) => epoch), ofRows: ofRows.map(({ epoch }) => epoch) };
}

/** The versions whose change lists are kept, of a database of one sandbox. */
export async function versionsIn(url: string): Promise<number[]> {
  const lists = await ask(url, 'select version::int from change_lists order by version');
  return lists.map(({ version }) => version);
}
