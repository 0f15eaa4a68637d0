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

export function serveFlags(): Option[] {
  return [
    portFlag(),
    hostFlag(),
    adminKeyFlag('the key of the control API; made at the start where none is given'),
    fixturesFlag(),
    scenariosFlag('folder of scenario files; adds to the shipped ones, and replaces one of the same name'),
    flag('--scenario <name>', 'a scenario that every sandbox begins with; may be repeated').argParser(names),
    flag('--assume <id=reading>', 'turn an assumption; may be repeated').argParser(assume).default({}, 'none'),
    flag('--profile <name>', 'a named set of readings').choices(Object.keys(profiles)).default('default'),
    flag('--clock <instant>', 'stand at this ISO 8601 instant, or run on from it with a + at its end').argParser(clock),
    flag('--random-seed <text>', 'the same seed gives the same ids and keys').argParser(nonEmpty),
    flag('--public-url <url>', 'what absolute URLs in answers begin with').argParser(absoluteUrl),
    flag(
      '--allowed-hosts <hosts>',
      'host names, by commas, under which the control API answers, besides localhost',
    ).argParser(hosts),
    flag('--no-login-sandboxes', 'a login with user+tag makes no sandbox'),
    flag('--max-sandboxes <number>', 'sandboxes at a time').argParser(wholeFrom(2)).default(1000),
    flag('--max-records <number>', 'records of a collection of a sandbox').argParser(wholeFrom(1)).default(1_000_000),
    flag('--no-debug-headers', 'answers carry none of the headers that tell their rule, assumption or fault'),
    jsonFlag('print one line of JSON when ready'),
    flag('--log <format>', 'one line per call on standard error').choices(['text', 'json', 'off']).default('text'),
  ];
}
