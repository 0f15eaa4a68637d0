// The flags of commands that speak to a sandbox of a running server.
import type { Option } from 'commander';
import { sandboxName, stage } from '../contract/addresses.ts';
import { UsageError } from '../stores/errors.ts';
import type { Remote } from './ask.ts';
import { sandbox } from './contract-values.ts';
import { absoluteUrl } from './flag-values.ts';
import { adminKeyFlag, flag, usualUrl } from './flags.ts';

export interface RemoteFlags {
  /** What none is named by is the URL's, or else `stage`. */
  readonly sandbox?: string;
  readonly url: string;
  readonly adminKey?: string;
}

export const sandboxFlag = (): Option =>
  flag('--sandbox <name>', 'which sandbox').argParser(sandbox).default(undefined, stage);

export const urlFlag = (description = 'where the server is'): Option =>
  flag('--url <url>', description).argParser(absoluteUrl);

export const remoteKeyFlag = (): Option => adminKeyFlag('the admin key that the start of the server printed');

/** Which sandbox, where, and the key. */
export const remoteFlags = (): Option[] => [sandboxFlag(), urlFlag().default(usualUrl), remoteKeyFlag()];

/** @throws UsageError where no key was given, or two sandboxes. */
export function remoteOf({ sandbox: name, url: given, adminKey }: RemoteFlags): Remote {
  const { url, sandbox: named } = takenApart(given);
  if (name !== undefined && named !== undefined && name !== named)
    throw new UsageError(`--url names the sandbox "${named}", and --sandbox "${name}": give one of them`);
  if (adminKey !== undefined) return { url, sandbox: name ?? named ?? stage, adminKey };
  throw new UsageError(
    'there is no admin key; give the one that the start of the server printed by --admin-key or SACHET_ADMIN_KEY',
  );
}

/** Whoever has a sandbox was given its base URL: that is the server's with the sandbox's path. */
function takenApart(given: string): { readonly url: string; readonly sandbox?: string } {
  const [, url, name] = /^(.*)\/sandboxes\/([^/]+)\/*$/.exec(given) ?? [];
  return url !== undefined && name !== undefined && sandboxName.test(name) ? { url, sandbox: name } : { url: given };
}
