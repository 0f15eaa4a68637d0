// The flags of commands that send requests to a service.
import { InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../system/exit-errors.ts';
import type { TargetOptions } from '../fidelity/target.ts';
import { absoluteUrl, nonEmpty, seconds } from './flags.ts';

export interface TargetFlags extends TargetOptions {
  readonly username?: string;
  /** The variable that has the password. */
  readonly passwordEnv?: string;
  readonly allowWrites: boolean;
  readonly plan: boolean;
}

/** @param words of the descriptions that differ */
export const targetFlags = (
  defaultRate: number,
  needsLogin: boolean,
  words: { readonly username: string; readonly allowWrites: string },
): Option[] => [
  new Option('--target <url>', 'base URL of the service, before /v2').argParser(targetUrl).makeOptionMandatory(),
  new Option('--username <name>', words.username).argParser(nonEmpty).makeOptionMandatory(needsLogin),
  new Option('--password-env <name>', 'environment variable that has the password')
    .argParser(nonEmpty)
    .makeOptionMandatory(needsLogin),
  new Option('--allow-writes', words.allowWrites).default(false),
  new Option('--plan', 'print the requests, and send none').default(false),
  new Option('--rate <number>', 'requests per second').argParser(rate).default(defaultRate),
  new Option('--timeout <seconds>', 'time limit for an answer').argParser(seconds).default(30),
];

function targetUrl(text: string): string {
  const url = absoluteUrl(text);
  if (!url.endsWith('/v2')) return url;
  throw new InvalidArgumentError(`"${text}" ends with /v2. Use the URL before it: ${url.slice(0, -3)}`);
}

function rate(text: string): number {
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a number of requests per second. Use a number above 0.`);
}

/** @throws UsageError */
export function passwordIn(variable: string): string {
  const password = process.env[variable];
  if (password) return password;
  throw new UsageError(`the variable ${variable} of --password-env has no value; set it to the password`);
}
