// The flags of `sachet serve`, and what they come to.
import type { Option } from 'commander';
import { profiles } from '../contract/assumptions.ts';
import { assume, clock } from './contract-values.ts';
import { absoluteUrl, hosts, names, nonEmpty, wholeFrom } from './flag-values.ts';
import { adminKeyFlag, fixturesFlag, flag, hostFlag, jsonFlag, portFlag, scenariosFlag } from './flags.ts';

export interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly adminKey?: string;
  readonly fixtures?: string;
  readonly scenarios?: string;
  readonly scenario?: readonly string[];
  readonly assume: Readonly<Record<string, string>>;
  readonly profile: string;
  readonly clock?: string;
  readonly randomSeed?: string;
  readonly publicUrl?: string;
  readonly allowedHosts?: readonly string[];
  readonly loginSandboxes: boolean;
  readonly maxSandboxes: number;
  readonly maxRecords: number;
  readonly debugHeaders: boolean;
  readonly json: boolean;
  readonly log: 'text' | 'json' | 'off';
}

const several = 'several by commas, or by repeating it';

export function serveFlags(): Option[] {
  return [
    portFlag(),
    hostFlag(),
    adminKeyFlag('key of the control API; where none is given, the start makes one and shows it').default(
      undefined,
      'a new one',
    ),
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
    flag('--public-url <url>', 'what absolute URLs in answers begin with')
      .argParser(absoluteUrl)
      .default(undefined, "the request's own"),
    flag(
      '--allowed-hosts <hosts>',
      `host name under which the control API answers, besides localhost; ${several}`,
    ).argParser(hosts),
    flag('--no-login-sandboxes', 'a login with user+tag makes no sandbox'),
    flag('--max-sandboxes <number>', 'sandboxes at a time; then the longest-unused one made by login goes')
      .argParser(wholeFrom(2))
      .default(1000),
    flag('--max-records <number>', 'records that a collection of a sandbox may hold')
      .argParser(wholeFrom(1))
      .default(1_000_000),
    flag('--no-debug-headers', 'answers carry no Sandbox-... headers: rule, assumption, fault, request id'),
    jsonFlag('print one line of JSON when ready'),
    flag('--log <format>', 'one line per call on standard error').choices(['text', 'json', 'off']).default('text'),
  ];
}
