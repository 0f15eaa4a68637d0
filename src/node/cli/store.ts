// `sachet store migrate`: creates or updates the tables of the database that servers share.
import type { Command } from 'commander';
import { UsageError } from '../../system/exit-errors.ts';
import { storeFlag } from './flags.ts';

export function add(line: Command): Command {
  const store = line.command('store').description('manage the database that servers share');
  store
    .command('migrate')
    .description('create the tables of the database if they are missing; a server also does this when it starts')
    .addOption(storeFlag())
    .action(migrate);
  return store;
}

async function migrate({ store }: { readonly store?: string }): Promise<void> {
  if (store === undefined) throw new UsageError('no database; pass its URL with --store or SACHET_STORE');
  const { migrateStore } = await import('../../stores/postgres/open-store.ts');
  const { place, isNew, version } = await migrateStore(store, (words) => void process.stderr.write(`${words}\n`));
  const did = isNew ? 'created' : 'no change needed';
  process.stdout.write(`The tables of ${place} are at version ${version}: ${did}\n`);
}
