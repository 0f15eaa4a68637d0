// Where PostgreSQL's programs are, and as whom they run.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps the programs of each version beside each other, and off the PATH. */
const debian = '/usr/lib/postgresql';

function debianFolders(): string[] {
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  return versions.sort((one, other) => Number(other) - Number(one)).map((version) => join(debian, version, 'bin'));
}

const folderOf = (...programs: readonly string[]): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), ...debianFolders()]
    .filter((folder) => folder !== '')
    .find((folder) => programs.every((program) => existsSync(join(folder, program))));

/** The user that PostgreSQL runs as, which may not be root. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

function idOf(flag: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

/** Another user than that of the tests, where these are root's. */
export function ownerBesideRoot(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

function lack(): string | undefined {
  if (process.platform !== 'linux') return 'PostgreSQL is started for tests on Linux only';
  if (!folderOf('initdb', 'postgres')) return 'no PostgreSQL found; install it (Debian: apt install postgresql)';
  if (!folderOf('setpriv')) return 'no setpriv found; install it (Debian: apt install util-linux)';
  if (process.getuid?.() === 0 && !ownerBesideRoot()) return 'PostgreSQL refuses root, and there is no user `postgres`';
  return undefined;
}

/** Why no PostgreSQL can be started here, if so; with POSTGRES_REQUIRED set that is a failure. */
export function postgresMissing(): string | undefined {
  const reason = lack();
  if (reason && process.env.POSTGRES_REQUIRED) throw new Error(reason);
  return reason;
}

/** The command line of a program of PostgreSQL's: as its owner, and ending when the process that starts it does. */
export function commandLine(program: 'initdb' | 'postgres', args: readonly string[], owner?: Owner): string[] {
  const reason = lack();
  if (reason) throw new Error(reason);
  const drop = owner ? [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'] : [];
  return ['setpriv', '--pdeathsig=KILL', ...drop, join(folderOf(program) ?? '', program), ...args];
}
