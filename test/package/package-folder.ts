// The package as npm packs it, installed in an empty folder that is removed after the tests of a file.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { root } from '../support/command.ts';

type Files = Readonly<Record<string, string>>;

/** Variables of the test runner and of npm, which a child does not get; it gets those about the registry. */
const foreign =
  /^(?:SACHET_|VITEST|TEST_|NODE_(?!EXTRA_CA_CERTS$)|npm_(?!config_(?:registry|cache|userconfig)$)|FORCE_COLOR$)/i;

/** Runs a program in a folder until it ends. */
export function ended(cwd: string, program: string, args: readonly string[], env: Files = {}, timeout = 60_000) {
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const options = { cwd, timeout, env: { ...Object.fromEntries(kept), NO_COLOR: '1', ...env }, maxBuffer: 2 ** 26 };
  return new Promise<{ readonly code: number | string; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      execFile(program, args, options, (error, stdout, stderr) => {
        resolve({ code: error?.code ?? error?.signal ?? 0, stdout, stderr });
      });
    },
  );
}

/** npm downloads some hundred packages for some projects. */
const installTimeout = 300_000;

async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  // Without a registry npm fails soon.
  const quick = ['--loglevel=error', '--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  const { code, stdout, stderr } = await ended(cwd, 'npm', [...args, ...quick], {}, installTimeout);
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
}

/** The built checkout as npm packs it; test files that share a worker pack it once. */
let packed: Promise<Buffer> | undefined;

async function pack(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'sachet-packed-'));
  try {
    await npm(root, 'pack', '--ignore-scripts', '--pack-destination', folder);
    return readFileSync(join(folder, readdirSync(folder)[0] ?? ''));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The packed package in a folder of `useInstalled`. */
export const tarballIn = (folder: string): string => join(folder, 'sachet.tgz');

/** Installs the packed checkout with other packages. The result returns the folder during the tests. */
export function useInstalled(packages: readonly string[] = [], files: Files = {}): () => string {
  let folder = '';
  beforeAll(async () => {
    packed ??= pack();
    folder = mkdtempSync(join(tmpdir(), 'sachet-package-'));
    writeFileSync(tarballIn(folder), await packed);
    for (const [name, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    await npm(folder, 'install', '--prefer-offline', tarballIn(folder), ...packages);
  }, 2 * installTimeout);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

/** A package in the version of this project's development. */
export function asDeveloped(name: string): string {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return `${name}@${devDependencies[name]}`;
}
