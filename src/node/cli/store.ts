// `sachet store migrate`: creates or updates the tables of the database that servers share.
import type { Command } from 'commander';
import { UsageError } from '../../system/exit-errors.ts';
import { storeFlag } from './flags.ts';

export function add(line: Command): Command {
  const store = line.command('store').description('look after the database that servers share');
  store
    .command('migrate')
    .description('make the tables of the database, or bring them to what this version needs; a start does so, too')
    .addOption(storeFlag())
    .action(migrate);
  return store;
}

async function migrate({ store }: { readonly store?: string }): Promise<void> {
  if (store === undefined) throw new UsageError('no database is named; give one by --store or SACHET_STORE');
  const { migrateStore } = await import('../../stores/postgres/open-store.ts');
  const { place, isNew, version } = await migrateStore(store, (words) => void process.stderr.write(`${words}\n`));
  const did = isNew ? '1 step was taken' : 'nothing was to be done';
  process.stdout.write(`The tables of ${place} are at step ${version}: ${did}\n`);
}
