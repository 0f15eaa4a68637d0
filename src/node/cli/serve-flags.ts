// The flags of `sachet serve`, some of them shared by every command that starts its own server.
import { InvalidArgumentError, type Option } from 'commander';
import { type Choices, type ProfileName, profiles } from '../../contract/assumptions.ts';
import { didYouMean } from '../../contract/nearest.ts';
import type { SachetConfig } from '../../contract/observations.ts';
import { internChoices, resolveChoices } from '../../contract/resolved-assumptions.ts';
import type { Scenario } from '../../contract/scenarios.ts';
import type { EngineOptions } from '../../engine.ts';
import { choicesIn } from '../../sandbox/overrides.ts';
import { chooseScenarios } from '../../sandbox/scenarios.ts';
import { shippedFixtures, shippedScenarios } from '../../shipped.ts';
import { readClock } from '../../state/clock.ts';
import { UsageError } from '../../system/exit-errors.ts';
import type { StateOptions } from '../start-server.ts';
import {
  absoluteUrl,
  adminKey,
  checked,
  configFlag,
  fixturesFlag,
  flag,
  hostFlag,
  hosts,
  integerFrom,
  isServiceLink,
  portFlag,
  scenarioFlag,
  scenariosFlag,
  several,
  storeFlag,
  tlsCertFlag,
  tlsFlag,
} from './flags.ts';
import { defaultCaFile, type TlsFlags } from './serve-tls.ts';

/** Parses `id=choice,…`. */
function assume(text: string, previous: Partial<Choices>): Partial<Choices> {
  const choices = text.split(',').map((part) => {
    const [, id, choice] = /^([^=]+)=(.+)$/.exec(part.trim()) ?? [];
    if (id === undefined || choice === undefined)
      throw new InvalidArgumentError(`"${part}" is not of the form id=choice.`);
    return [id, choice];
  });
  const chosen = Object.fromEntries(choices);
  checked(() => resolveChoices(chosen));
  return { ...previous, ...chosen };
}

function clock(text: string): string {
  checked(() => readClock(text));
  return text;
}

/** The flags that shape the responses of a server, whichever command starts it. */
export interface SettingFlags extends Pick<EngineOptions, 'scenario' | 'clock' | 'randomSeed'> {
  readonly fixtures?: string;
  readonly scenarios?: string;
  readonly config?: string;
  readonly assume: Partial<Choices>;
  readonly profile: ProfileName;
}

/** The engine options that the flags set. */
export interface Setting
  extends Pick<EngineOptions, 'fixtures' | 'scenario' | 'assumptions' | 'profile' | 'clock' | 'randomSeed'> {
  readonly config: SachetConfig | undefined;
  /** All scenarios that can be applied, also the shipped ones. */
  readonly scenarios: readonly Scenario[];
  /** The choices that every sandbox starts with: from the flags, overridden by the scenarios it starts with. */
  readonly choices: Choices;
}

export const assumeFlag = (): Option =>
  flag('--assume <id=choice>', `use this choice for an assumption; ${several}`).argParser(assume).default({}, 'none');

export const profileFlag = (): Option =>
  flag('--profile <name>', 'a named set of choices').choices(Object.keys(profiles)).default('default');

export const settingFlags = (): Option[] => [
  fixturesFlag(),
  scenariosFlag('folder of your own scenario files; one with the name of a shipped scenario replaces it'),
  scenarioFlag(),
  configFlag(),
  assumeFlag(),
  profileFlag(),
  flag('--clock <instant>', 'freeze the clock at this ISO 8601 time; with a + at its end, the clock runs on from there')
    .argParser(clock)
    .default(undefined, 'real time'),
  flag('--random-seed <text>', 'the same seed gives the same ids and keys').default(undefined, 'random'),
];

/** Variables that other commands read, or that clients and tests get. */
const otherVariables = ['URL', 'SANDBOX', 'BASE_URL', 'USERNAME', 'PASSWORD', 'COMMAND'].map(
  (part) => `SACHET_${part}`,
);

/** @throws UsageError for a SACHET_… variable that nothing reads, because it is probably misspelled */
function requireKnownVariables(): void {
  const prefix = 'SACHET_';
  const known = [...serveFlags().flatMap(({ envVar }) => envVar ?? []), ...otherVariables];
  for (const [name, value] of Object.entries(process.env)) {
    if (!name.startsWith(prefix) || !value || known.includes(name) || isServiceLink(name, value)) continue;
    // Compared without the prefix: it would make any two names similar.
    const hint = didYouMean(
      name.slice(prefix.length),
      known.map((other) => other.slice(prefix.length)),
    );
    const suggestion = hint.replace('"', `"${prefix}`);
    throw new UsageError(`unknown variable ${name}.${suggestion} Unset it, or use one of ${known.join(', ')}`);
  }
}

/** @throws UsageError for an unknown variable; FilesError for invalid files; UnknownScenarioError */
export async function settingOf(flags: SettingFlags): Promise<Setting> {
  requireKnownVariables();
  const { scenario, clock, randomSeed, assume: assumptions, profile } = flags;
  const [files, config] = [await loadFiles(flags), await configOf(flags)];
  const layers = chooseScenarios(files.scenarios, scenario).map((one) => choicesIn(one.assumptions ?? {}));
  const choices = internChoices(
    Object.assign({}, resolveChoices(assumptions, profile, config?.assumptions), ...layers) as Choices,
  );
  return { ...files, config, choices, scenario, clock, randomSeed, assumptions, profile };
}

/** Imports the code that checks files only for the user's own: the shipped ones are bundled, and checked by tests. */
async function loadFiles(flags: SettingFlags): Promise<Pick<Setting, 'fixtures' | 'scenarios'>> {
  if (flags.fixtures === undefined && flags.scenarios === undefined)
    return { fixtures: shippedFixtures(), scenarios: shippedScenarios() };
  const { loadFixtures, scenariosWith } = await import('../load-files.ts');
  const fixtures = flags.fixtures === undefined ? shippedFixtures() : loadFixtures(flags.fixtures);
  return { fixtures, scenarios: scenariosWith(flags.scenarios, fixtures) };
}

/** @throws UsageError and ConfigError for a file that cannot be used */
export const configOf = async ({ config }: Pick<SettingFlags, 'config'>): Promise<SachetConfig | undefined> =>
  config === undefined ? undefined : (await import('../load-files.ts')).loadConfig(config);

type EngineFlag = 'publicUrl' | 'allowedHosts' | 'loginSandboxes' | 'maxSandboxes' | 'maxRecords' | 'debugHeaders';

export interface ServeFlags extends SettingFlags, StateOptions, TlsFlags, Pick<EngineOptions, 'adminKey' | EngineFlag> {
  readonly port: number;
  readonly host: string;
  readonly consoleKey: boolean;
  readonly json: boolean;
  readonly log: 'text' | 'json' | 'off';
}

export const serveFlags = (): Option[] => [
  portFlag(),
  hostFlag(),
  flag(
    '--admin-key <key>',
    'key of the control API; without it, the server creates a key and prints it; required with --store',
  )
    .argParser(adminKey)
    .default(undefined, 'a new one'),
  flag('--no-console-key', 'omit the admin key from the link to the console that the start prints'),
  ...settingFlags(),
  flag('--public-url <url>', 'base URL for absolute URLs in responses')
    .argParser(absoluteUrl)
    .default(undefined, "the request's own"),
  flag('--allowed-hosts <hosts>', `host name that requests may use, besides localhost; ${several}`).argParser(hosts),
  tlsCertFlag(),
  flag('--tls-key <file>', 'PEM file with the private key of that certificate'),
  tlsFlag(),
  flag('--tls-ca-out <file>', 'with --tls: file to write the CA certificate to, which clients must trust').default(
    undefined,
    defaultCaFile,
  ),
  flag('--no-login-sandboxes', 'do not create a sandbox for a login with user+tag'),
  flag(
    '--max-sandboxes <number>',
    'maximum number of sandboxes; at the limit, a new one replaces the least recently used one that a login created; ' +
      'without such a sandbox, a login gets 404',
  )
    .argParser(integerFrom(2))
    .default(1000),
  flag('--max-records <number>', 'maximum number of records in a collection of a sandbox')
    .argParser(integerFrom(1))
    .default(1_000_000),
  flag('--state <dir>', 'folder for the state, created if missing; the next start restores the state from it').default(
    undefined,
    'in memory',
  ),
  flag(
    '--sync <when>',
    'when a write is synced to the disk of the state folder: before its response, or at most a second later',
  )
    .choices(['always', 'interval'])
    .default(undefined, 'always'),
  storeFlag(),
  flag('--no-debug-headers', 'omit the Sandbox-... response headers: rule, assumption, fault, request id'),
  flag('--json', 'print one line of JSON when ready').default(false),
  flag(
    '--log <format>',
    'format of the log on standard error: one line per call, with the rule and the reason of an error',
  )
    .choices(['text', 'json', 'off'])
    .default('text'),
];
