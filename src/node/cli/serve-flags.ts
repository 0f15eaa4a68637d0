// The flags of `sachet serve`, and those of them that every command with a server of its own has.
import { InvalidArgumentError, type Option } from 'commander';
import { type Choices, type ProfileName, profiles } from '../../contract/assumptions.ts';
import { internChoices, resolveChoices } from '../../contract/resolved-assumptions.ts';
import type { Scenario } from '../../contract/scenarios.ts';
import type { EngineOptions } from '../../engine.ts';
import { choicesIn } from '../../sandbox/overrides.ts';
import { chooseScenarios } from '../../sandbox/scenarios.ts';
import { shippedFixtures, shippedScenarios } from '../../shipped.ts';
import { readClock } from '../../state/clock.ts';
import type { StateOptions } from '../start-server.ts';
import {
  absoluteUrl,
  adminKeyFlag,
  checked,
  fixturesFlag,
  flag,
  hostFlag,
  hosts,
  integerFrom,
  names,
  portFlag,
  scenariosFlag,
  several,
  storeFlag,
} from './flags.ts';

/** Parses `id=choice,…`. */
function assume(text: string, previous: Partial<Choices>): Partial<Choices> {
  const choices = text.split(',').map((part) => {
    const [, id, choice] = /^([^=]+)=(.+)$/.exec(part.trim()) ?? [];
    if (id === undefined || choice === undefined)
      throw new InvalidArgumentError(`"${part}" is not of the form id=reading.`);
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
  readonly assume: Partial<Choices>;
  readonly profile: ProfileName;
}

/** What the flags say of an engine. */
export interface Setting
  extends Pick<EngineOptions, 'fixtures' | 'scenario' | 'assumptions' | 'profile' | 'clock' | 'randomSeed'> {
  /** All that can be applied, also the shipped ones. */
  readonly scenarios: readonly Scenario[];
  /** The choices that every sandbox begins with: of the flags, overridden by the scenarios it begins with. */
  readonly choices: Choices;
}

export const assumeFlag = (description: string): Option =>
  flag('--assume <id=reading>', `${description}; ${several}`).argParser(assume).default({}, 'none');

export const profileFlag = (): Option =>
  flag('--profile <name>', 'a named set of readings').choices(Object.keys(profiles)).default('default');

export const settingFlags = (): Option[] => [
  fixturesFlag(),
  scenariosFlag('folder of scenario files; adds to the shipped ones, and replaces one of the same name'),
  flag('--scenario <name>', `scenario that every sandbox begins with; ${several}`).argParser(names),
  assumeFlag('turn an assumption'),
  profileFlag(),
  flag('--clock <instant>', 'stand at this ISO 8601 instant; with a + at its end, run on from it')
    .argParser(clock)
    .default(undefined, 'real time'),
  flag('--random-seed <text>', 'the same seed gives the same ids and keys').default(undefined, 'random'),
];

/** @throws FilesError for invalid files; UnknownScenarioError */
export async function settingOf(flags: SettingFlags): Promise<Setting> {
  const { scenario, clock, randomSeed, assume: assumptions, profile } = flags;
  const files = await loadFiles(flags);
  const layers = chooseScenarios(files.scenarios, scenario).map((one) => choicesIn(one.assumptions ?? {}));
  const choices = internChoices(Object.assign({}, resolveChoices(assumptions, profile), ...layers) as Choices);
  return { ...files, choices, scenario, clock, randomSeed, assumptions, profile };
}

/** The code that checks files is loaded only for the user's own: tests check the shipped ones, which are bundled. */
async function loadFiles(flags: SettingFlags): Promise<Pick<Setting, 'fixtures' | 'scenarios'>> {
  if (flags.fixtures === undefined && flags.scenarios === undefined)
    return { fixtures: shippedFixtures(), scenarios: shippedScenarios() };
  const { loadFixtures, scenariosWith } = await import('../load-files.ts');
  const fixtures = flags.fixtures === undefined ? shippedFixtures() : loadFixtures(flags.fixtures);
  return { fixtures, scenarios: scenariosWith(flags.scenarios, fixtures) };
}

type EngineFlag = 'publicUrl' | 'allowedHosts' | 'loginSandboxes' | 'maxSandboxes' | 'maxRecords' | 'debugHeaders';

export interface ServeFlags extends SettingFlags, StateOptions, Pick<EngineOptions, 'adminKey' | EngineFlag> {
  readonly port: number;
  readonly host: string;
  readonly json: boolean;
  readonly log: 'text' | 'json' | 'off';
}

export const serveFlags = (): Option[] => [
  portFlag(),
  hostFlag(),
  adminKeyFlag(
    'key of the control API; where none is given, the start makes one and shows it; with --store it must be given',
  ).default(undefined, 'a new one'),
  ...settingFlags(),
  flag('--public-url <url>', 'what absolute URLs in answers begin with')
    .argParser(absoluteUrl)
    .default(undefined, "the request's own"),
  flag('--allowed-hosts <hosts>', `host name to answer under, besides localhost; ${several}`).argParser(hosts),
  flag('--no-login-sandboxes', 'a login with user+tag makes no sandbox'),
  flag('--max-sandboxes <number>', 'sandboxes at a time; then the longest-unused one made by login goes')
    .argParser(integerFrom(2))
    .default(1000),
  flag('--max-records <number>', 'records that a collection of a sandbox may hold')
    .argParser(integerFrom(1))
    .default(1_000_000),
  flag(
    '--state <dir>',
    'folder that keeps the state, made where there is none; what it has is there again at the next start',
  ).default(undefined, 'in memory'),
  flag('--sync <when>', 'when a write stands in the state folder: before it is answered, or at most a second later')
    .choices(['always', 'interval'])
    .default(undefined, 'always'),
  storeFlag(),
  flag('--no-debug-headers', 'answers carry no Sandbox-... headers: rule, assumption, fault, request id'),
  flag('--json', 'print one line of JSON when ready').default(false),
  flag('--log <format>', 'one line per call on standard error').choices(['text', 'json', 'off']).default('text'),
];
