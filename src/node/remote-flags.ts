// The flags of commands that speak to a sandbox of a running server.
import type { Option } from 'commander';
import { stage } from '../contract/addresses.ts';
import type { Remote } from './ask.ts';
import { sandbox } from './contract-values.ts';
import { absoluteUrl } from './flag-values.ts';
import { adminKeyFlag, flag, usualUrl } from './flags.ts';
import { UsageError } from './usage-error.ts';

export interface RemoteFlags {
  readonly sandbox: string;
  readonly url: string;
  readonly adminKey?: string;
}

export const sandboxFlag = (): Option => flag('--sandbox <name>', 'which sandbox').argParser(sandbox).default(stage);

export const urlFlag = (description = 'where the server is'): Option =>
  flag('--url <url>', description).argParser(absoluteUrl);

export const remoteKeyFlag = (): Option => adminKeyFlag('the admin key that the start of the server printed');

/** Which sandbox, where, and the key. */
export const remoteFlags = (): Option[] => [sandboxFlag(), urlFlag().default(usualUrl), remoteKeyFlag()];

/** @throws UsageError where no key was given. */
export function remoteOf({ sandbox: name, url, adminKey }: RemoteFlags): Remote {
  if (adminKey !== undefined) return { url, sandbox: name, adminKey };
  throw new UsageError(
    'there is no admin key; give the one that the start of the server printed by --admin-key or SACHET_ADMIN_KEY',
  );
}
