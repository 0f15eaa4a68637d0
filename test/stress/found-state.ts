// What a server has, asked over its port, in the words of the ledger.
import type { Ledger, Listed } from './ledger.ts';
import type { StressedServer } from './server.ts';

const ofWriters = /^\d+-\d+-\d+$/;

/** The orders of the stage that writers made. */
export async function ordersOf({ control }: StressedServer): Promise<Listed[]> {
  const { orders } = await control.sandbox('stage').records.orders.list();
  const listed = orders.map(({ id, shipping_address }) => ({ id, mark: shipping_address.address1 }));
  return listed.filter(({ mark }) => ofWriters.test(mark));
}

/** Everything else that writers made, by what it is of. */
export async function valuesOf({ control }: StressedServer): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const stage = control.sandbox('stage');
  const { label_expiry } = await stage.switches.get();
  found.set('lifetime', `${label_expiry?.lifetime_seconds}`);
  const { snapshots } = await stage.snapshots.list();
  for (const { name } of snapshots) found.set(`snapshot ${name}`, 'there');
  const { sandboxes } = await control.list();
  for (const { name } of sandboxes.filter((sandbox) => sandbox.name.startsWith('w'))) {
    const sandbox = control.sandbox(name);
    found.set(`sandbox ${name}`, 'there');
    const { orders } = await sandbox.records.orders.list();
    const marks = orders.map(({ shipping_address }) => shipping_address.address1);
    found.set(`orders ${name}`, marks.filter((mark) => mark.endsWith('.')).join());
    found.set(`burst ${name}`, `${(await sandbox.switches.get()).rate_limit?.remaining}`);
  }
  return found;
}

/** Takes away what was found of snapshots and sandboxes, as there is room for so many of them. */
export async function tidy(
  { control }: StressedServer,
  found: ReadonlyMap<string, string>,
  ledger: Ledger,
): Promise<void> {
  for (const what of found.keys()) {
    const [kind, name = ''] = what.split(' ');
    if (kind === 'orders' || kind === 'burst') ledger.forget(what);
    if (kind === 'sandbox') await ledger.ask(what, 'gone', () => control.sandbox(name).delete());
    if (kind === 'snapshot') await ledger.ask(what, 'gone', () => control.sandbox('stage').snapshots.delete(name));
  }
}
