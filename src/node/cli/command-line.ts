// The commands, each loaded when it is needed: a health check runs every few seconds, and people wait for the
// start of the server.
import type { Command } from 'commander';
import { withNearest } from '../../contract/nearest.ts';
import { UsageError } from '../../system/exit-errors.ts';
import type { GroupName } from './control/groups.ts';
import { checkEnvironment, program } from './flags.ts';

type Load = () => Promise<{ readonly add: (line: Command) => Command }>;

const controlGroup =
  (name: GroupName): Load =>
  async () => {
    const { addGroup } = await import('./control/groups.ts');
    return { add: (line) => addGroup(line, name) };
  };

/** In the order of `--help`. */
const commands: Readonly<Record<string, Load>> = {
  serve: () => import('./serve.ts'),
  init: () => import('./init.ts'),
  check: () => import('./check.ts'),
  scenarios: () => import('./scenarios.ts'),
  openapi: () => import('./openapi.ts'),
  seed: () => import('./seed.ts'),
  requests: () => import('./requests.ts'),
  report: () => import('./report.ts'),
  mcp: () => import('./mcp.ts'),
  certify: () => import('./certify.ts'),
  matrix: () => import('./matrix.ts'),
  learn: async () => ({ add: (await import('./fidelity.ts')).addLearn }),
  calibrate: async () => ({ add: (await import('./fidelity.ts')).addCalibrate }),
  compare: async () => ({ add: (await import('./fidelity.ts')).addCompare }),
  sandbox: controlGroup('sandbox'),
  switch: controlGroup('switch'),
  fault: controlGroup('fault'),
  scenario: controlGroup('scenario'),
  clock: controlGroup('clock'),
  order: controlGroup('order'),
  state: controlGroup('state'),
  store: () => import('./store.ts'),
  healthcheck: () => import('./healthcheck.ts'),
  completion: () => import('./completion.ts'),
};

/** The command line with the command of these words; for help and the version with all. @throws UsageError */
export async function commandLine([first = 'serve', ...others]: readonly string[]): Promise<Command> {
  const line = program()
    .hook('preSubcommand', (_, command) => checkEnvironment(command))
    // After a flag, an unknown command is an excess argument of serve.
    .hook('preAction', (_, command) => {
      if (command.name() === 'serve') loaderOf(command.args[0] ?? 'serve');
    });
  // `sachet openapi --version 3.0` is the version of OpenAPI, not the program's flag.
  if (first === 'openapi') line.enablePositionalOptions();
  const isHelp = [first, ...others].some((word) => ['-h', '--help', '-V', '--version'].includes(word));
  // The completion scripts list all commands, too.
  if (!isHelp && first !== 'help' && first !== 'completion') {
    (await loaderOf(first.startsWith('-') ? 'serve' : first)()).add(line);
    return line;
  }
  // commander would print the general help, without an error.
  if (first === 'help' && others[0] !== undefined) loaderOf(others[0]);
  const added: Command[] = [];
  for (const load of Object.values(commands)) added.push((await load()).add(line));
  // The flags of the default command are of use in the general help, too.
  return line.addHelpText('after', () => `\n${added[0]?.helpInformation()}`);
}

/** @throws UsageError */
function loaderOf(name: string): Load {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load) return load;
  const names = Object.keys(commands);
  throw new UsageError(withNearest(`unknown command "${name}"; the commands are: ${names.join(', ')}`, name, names));
}
