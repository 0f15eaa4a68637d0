// The command line of `sachet compare`.
import { type Command, Option } from 'commander';
import type { Credentials } from '../../fidelity/replay.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { addOptions, jsonFlag, names, several } from './flags.ts';
import { baseUrlFlag } from './learn.ts';
import { junitFlag, type Outputs, prepareOutputs } from './results.ts';
import { type SettingFlags, settingFlags, settingOf } from './serve-flags.ts';
import { passwordIn, type TargetFlags, targetFlags } from './target-flags.ts';

interface CompareFlags extends SettingFlags, Outputs, TargetFlags {
  readonly from: readonly string[];
  readonly baseUrl?: string;
}

export const add = (line: Command): Command =>
  addOptions(line.command('compare'), compareFlags())
    .description(
      'send recorded calls to a service and to a sandbox, and compare the answers; exit with 1 if they differ',
    )
    .action(compare);

const compareFlags = (): Option[] => [
  ...targetFlags(10, false, {
    username: 'username for the login; without it, the logins of the recording',
    allowWrites: 'also send calls that may change data of the service',
  }),
  new Option('--from <file>', `HAR file with the calls to send; ${several}`).argParser(names).makeOptionMandatory(),
  baseUrlFlag(),
  jsonFlag('print one JSON document'),
  junitFlag(),
  ...settingFlags(),
];

/** Imports the code only now: no other command needs it. */
async function compare(flags: CompareFlags): Promise<void> {
  const given = credentialsOf(flags);
  const setting = await settingOf(flags);
  const print = prepareOutputs(flags);
  const { runCompareCommand } = await import('../fidelity/compare.ts');
  if (!(await runCompareCommand({ ...flags, given, setting, print }))) process.exitCode = 1;
}

/** @throws UsageError */
function credentialsOf({ username, passwordEnv }: CompareFlags): Credentials | undefined {
  if (username === undefined && passwordEnv === undefined) return undefined;
  if (username === undefined) throw new UsageError('--password-env needs --username');
  if (passwordEnv !== undefined) return { username, password: passwordIn(passwordEnv) };
  throw new UsageError('--username needs --password-env with the name of the variable that has the password');
}
