// Builds release/sachet-linux-x64: a copy of the Node that runs this, with the command in it. Node calls this a single
// executable application.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'postject';

const { platform, arch, execPath } = process;
// Node looks for this text, and for a 1 after it, which says that it has an application.
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
if (platform !== 'linux') stop(`cannot build the binary on ${platform}; build it on Linux, or use the npm package`);
if (!readFileSync(execPath).includes(sentinelFuse))
  stop(`cannot build the binary with ${execPath}, which cannot contain an application; use Node from nodejs.org`);

function stop(message) {
  console.error(message);
  process.exit(1);
}

const folder = 'release';
const binary = `${folder}/sachet-${platform}-${arch}`;
const parts = `${folder}/parts`;
const [config, blob] = [`${parts}/config.json`, `${parts}/blob`];
// The code cache is only valid for the options of V8 that it was made with.
const env = { ...process.env, NODE_OPTIONS: '' };
const node = (...args) => execFileSync(execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });

rmSync(folder, { recursive: true, force: true });
mkdirSync(parts, { recursive: true });
node('bundle.mjs', '--binary', parts);
const code = { main: `${parts}/sachet.cjs`, useCodeCache: true };
writeFileSync(config, JSON.stringify({ ...code, output: blob, disableExperimentalSEAWarning: true }));
node('--experimental-sea-config', config);

copyFileSync(execPath, binary);
// Removes the names of Node's internal functions, 13 MB. Without `strip` the binary is larger, and works.
spawnSync('strip', [binary]);
// It warns about sections without a name.
console.warn = () => undefined;
await inject(binary, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse });

// The license of Node is next to its folder bin/ in the downloads of nodejs.org.
const nodeLicense = join(dirname(execPath), '../LICENSE');
const licenses = [`${parts}/licenses.txt`, ...(existsSync(nodeLicense) ? [nodeLicense] : [])];
writeFileSync(
  `${folder}/licenses.txt`,
  licenses.map((file) => readFileSync(file, 'utf8')).join(`\n${'-'.repeat(80)}\n\n`),
);
rmSync(parts, { recursive: true });
console.log(`${binary}: ${(statSync(binary).size / 1e6).toFixed(1)} MB`);
