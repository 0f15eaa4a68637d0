// `sachet seed`: adds a demo brand with orders to a sandbox of a running server.
import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { printable } from '../../client/printable.ts';
import { consolePath } from '../../contract/addresses.ts';
import { addedDemo, type PersonaName, personaNames } from '../../contract/control/demo.ts';
import { controlOf, type Remote, resultOf } from '../remote-sandbox.ts';
import { addOptions, jsonFlag, nonEmpty, type RemoteFlags, remoteFlags, remoteOf } from './flags.ts';

interface SeedOptions extends RemoteFlags {
  readonly persona: PersonaName;
  readonly seed: string;
  readonly json: boolean;
}

export const add = (line: Command): Command =>
  addOptions(
    line
      .command('seed')
      .addOption(new Option('--persona <name>', 'kind of brand').choices(personaNames).default(personaNames[0]))
      .option('--seed <text>', 'the same seed gives the same data at the same time of the clock', nonEmpty, '1'),
    remoteFlags(),
  )
    .description('add a demo brand to a sandbox of a running server: 200 orders over 90 days, in every status')
    .addOption(jsonFlag('print one line of JSON'))
    .action(seedSandbox);

async function seedSandbox({ persona, seed, json, ...flags }: SeedOptions): Promise<void> {
  const remote = remoteOf(flags);
  const added = await resultOf(remote, addedDemo, controlOf(remote).seed({ persona, seed }));
  process.stdout.write(json ? `${JSON.stringify(added)}\n` : summary(added, remote));
}

function summary({ brand, login, consumers, orders, fulfillments }: z.output<typeof addedDemo>, remote: Remote) {
  const counted = `${total(orders)} orders, ${total(fulfillments)} packages, ${consumers} consumers`;
  return [
    `Added ${printable(brand.name)} to the sandbox "${remote.sandbox}": ${counted}`,
    '',
    `  orders     ${byStatus(orders)}`,
    `  packages   ${byStatus(fulfillments)}`,
    `  login      ${printable(login.username)} / ${printable(login.password)}`,
    `  console    ${remote.url}${consolePath}/${remote.sandbox}/orders`,
    '',
  ].join('\n');
}

type Counts = Readonly<Record<string, number>>;

const total = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** @example byStatus({ Pending: 2, Accepted: 5 }) // '2 Pending, 5 Accepted' */
const byStatus = (counts: Counts): string =>
  Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
