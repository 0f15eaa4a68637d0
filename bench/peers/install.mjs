// Installs a peer into its temporary folder, in the versions that package.json beside this file names.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const versions = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')).dependencies;
const npmFlags = ['i', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

/** The name and version of a package as it is told. */
export function versionOf(name) {
  const version = versions[name];
  return version.startsWith('npm:') ? version.slice(4).replace('@', ' ') : `${name} ${version}`;
}

/** @throws Unavailable where npm cannot install the packages, or one of them is not for this Node */
export async function installPeer(folder, packages) {
  const dependencies = Object.fromEntries(packages.map((name) => [name, versions[name]]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  const npm = spawn('npm', npmFlags, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  npm.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await Promise.race([once(npm, 'close'), once(npm, 'error').then(([error]) => [error.message])]);
  if (code !== 0) throw new Unavailable(`npm could not install it: ${said.trim().split('\n')[0] || code}`);
  for (const name of packages) needNode(folder, name);
}

/** What is not measured because it cannot run here, which is no failure of the benchmark. */
export class Unavailable extends Error {}

/** @throws Unavailable where this Node is older than `wanted`, a version such as 24.0.0 */
export function needNodeVersion(wanted) {
  const [own, least] = [process.versions.node, wanted].map((version) => version.split('.').map(Number));
  const at = least.findIndex((number, index) => number !== own[index]);
  if (at !== -1 && own[at] < least[at]) throw new Unavailable(`needs Node ${wanted}, this is ${process.versions.node}`);
}

function needNode(folder, name) {
  const { engines } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  const least = /^>= ?(\d+)(\.\d+)?(\.\d+)?$/.exec(engines?.node ?? '');
  if (least !== null) needNodeVersion(`${least[1]}${least[2] ?? '.0'}${least[3] ?? '.0'}`);
}
