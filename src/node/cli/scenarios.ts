// `sachet scenarios`: lists the scenarios and what each is for.
import type { Command } from 'commander';
import { scenariosWith } from '../load-files.ts';
import { jsonFlag, scenariosFlag } from './flags.ts';
import { printableTable } from './table.ts';

export const add = (line: Command): Command =>
  line
    .command('scenarios')
    .description('list the scenarios and what each is for')
    .addOption(scenariosFlag())
    .addOption(jsonFlag('print one line of JSON'))
    .action(({ scenarios: own, json }: { readonly scenarios?: string; readonly json: boolean }) => {
      const scenarios = scenariosWith(own).map(({ name, intent, right_client, conduct = [] }) => {
        return { name, intent, right_client, conduct };
      });
      process.stdout.write(
        json
          ? `${JSON.stringify({ scenarios })}\n`
          : printableTable(scenarios.map(({ name, intent }) => [name, intent])),
      );
    });
