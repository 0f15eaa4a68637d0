// The flags of `sachet serve`, and those of them that every command with a server of its own has.
import { InvalidArgumentError, type Option } from 'commander';
import { type Choices, type ProfileName, profiles } from '../../contract/assumptions.ts';
import type { Fixtures } from '../../contract/fixtures.ts';
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
  nonEmpty,
  portFlag,
  scenariosFlag,
  several,
  storeFlag,
} from './flags.ts';

/** Parses `id=choice,…`. */
export function assume(text: string, previous: Partial<Choices>): Partial<Choices> {
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
export interface SettingFlags {
  readonly fixtures?: string;
  readonly scenarios?: string;
  readonly scenario?: readonly string[];
  readonly assume: Partial<Choices>;
  readonly profile: ProfileName;
  readonly clock?: string;
  readonly randomSeed?: string;
}

/** The setting that the flags describe. */
export interface Setting {
  readonly fixtures: Fixtures;
  /** All that can be applied, also the shipped ones. */
  readonly scenarios: readonly Scenario[];
  /** The choices that every sandbox begins with: of the flags, overridden by the scenarios it begins with. */
  readonly choices: Choices;
  readonly options: Pick<EngineOptions, 'scenario' | 'assumptions' | 'profile' | 'clock' | 'randomSeed'>;
}

export function settingFlags(): Option[] {
  return [
    fixturesFlag(),
    scenariosFlag('folder of scenario files; adds to the shipped ones, and replaces one of the same name'),
    flag('--scenario <name>', `scenario that every sandbox begins with; ${several}`).argParser(names),
    flag('--assume <id=reading>', `turn an assumption; ${several}`).argParser(assume).default({}, 'none'),
    flag('--profile <name>', 'a named set of readings').choices(Object.keys(profiles)).default('default'),
    flag('--clock <instant>', 'stand at this ISO 8601 instant; with a + at its end, run on from it')
      .argParser(clock)
      .default(undefined, 'real time'),
    flag('--random-seed <text>', 'the same seed gives the same ids and keys')
      .argParser(nonEmpty)
      .default(undefined, 'random'),
  ];
}

/** @throws FilesError for invalid files; UnknownScenarioError */
export async function settingOf(flags: SettingFlags): Promise<Setting> {
  const { scenario, clock, randomSeed, assume, profile } = flags;
  const { fixtures, scenarios } = await loadFiles(flags);
  const layers = chooseScenarios(scenarios, scenario).map(({ assumptions = {} }) => choicesIn(assumptions));
  return {
    fixtures,
    scenarios,
    choices: internChoices(Object.assign({}, resolveChoices(assume, profile), ...layers) as Choices),
    options: { scenario, clock, randomSeed, assumptions: assume, profile },
  };
}

/** The code that checks files is loaded only for the user's own: tests check the shipped ones, which are bundled. */
async function loadFiles(flags: SettingFlags): Promise<Pick<Setting, 'fixtures' | 'scenarios'>> {
  if (flags.fixtures === undefined && flags.scenarios === undefined)
    return { fixtures: shippedFixtures(), scenarios: shippedScenarios() };
  const { loadFixtures, scenariosWith } = await import('../load-files.ts');
  const fixtures = flags.fixtures === undefined ? shippedFixtures() : loadFixtures(flags.fixtures);
  return { fixtures, scenarios: scenariosWith(flags.scenarios, fixtures) };
}

type Given = Pick<EngineOptions, 'adminKey' | 'publicUrl' | 'allowedHosts'>;
type WithDefaults = Required<Pick<EngineOptions, 'loginSandboxes' | 'maxSandboxes' | 'maxRecords' | 'debugHeaders'>>;

export interface ServeFlags extends SettingFlags, StateOptions, Given, WithDefaults {
  readonly port: number;
  readonly host: string;
  readonly json: boolean;
  readonly log: 'text' | 'json' | 'off';
}

export function serveFlags(): Option[] {
  return [
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
    )
      .argParser(nonEmpty)
      .default(undefined, 'in memory'),
    flag('--sync <when>', 'when a write stands in the state folder: before it is answered, or at most a second later')
      .choices(['always', 'interval'])
      .default(undefined, 'always'),
    storeFlag(),
    flag('--no-debug-headers', 'answers carry no Sandbox-... headers: rule, assumption, fault, request id'),
    flag('--json', 'print one line of JSON when ready').default(false),
    flag('--log <format>', 'one line per call on standard error').choices(['text', 'json', 'off']).default('text'),
  ];
}
