// The flags of `sachet serve`, and what they come to.
import type { Option } from 'commander';
import { absoluteUrl, hosts, nonEmpty, wholeFrom } from './flag-values.ts';
import { adminKeyFlag, flag, hostFlag, portFlag, several, storeFlag } from './flags.ts';
import { type SettingFlags, settingFlags } from './setting-flags.ts';

export interface ServeFlags extends SettingFlags {
  readonly port: number;
  readonly host: string;
  readonly adminKey?: string;
  readonly publicUrl?: string;
  readonly allowedHosts?: readonly string[];
  readonly loginSandboxes: boolean;
  readonly maxSandboxes: number;
  readonly maxRecords: number;
  readonly debugHeaders: boolean;
  readonly state?: string;
  readonly sync?: 'always' | 'interval';
  readonly store?: string;
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
      .argParser(wholeFrom(2))
      .default(1000),
    flag('--max-records <number>', 'records that a collection of a sandbox may hold')
      .argParser(wholeFrom(1))
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
