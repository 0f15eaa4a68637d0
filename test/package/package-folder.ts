// The package as npm packs it, and empty folders of a consumer who installs it; removed when the tests of a file are over.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { root } from '../support/command.ts';

export interface Outcome {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

type Files = Readonly<Record<string, string>>;

/** Nothing of the test runner or of the npm that started it reaches a child, but for the way to the registry. */
const foreign =
  /^(?:SACHET_|VITEST|TEST_|NODE_(?!EXTRA_CA_CERTS$)|npm_(?!config_(?:registry|cache|userconfig)$)|FORCE_COLOR$)/i;

const deadline = 60_000;
/** npm downloads some hundred packages for the clients' projects. */
const installDeadline = 300_000;

/** Runs a program to its end, in a folder; a test reads how it ended. */
export function ended(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Files = {},
  timeout = deadline,
): Promise<Outcome> {
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const options = {
    cwd,
    env: { ...Object.fromEntries(kept), NO_COLOR: '1', ...env },
    timeout,
    maxBuffer: 2 ** 26,
  };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? error?.signal ?? 0, stdout, stderr });
    });
  });
}

/** Where the registry is out of reach, npm says so soon. */
const quick = ['--loglevel=error', '--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];

/** npm, whose failure is that of the tests. */
async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await ended(cwd, 'npm', [...args, ...quick], {}, installDeadline);
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
}

/** The tarball of this checkout, whose dist is built. */
async function pack(folder: string): Promise<string> {
  await npm(root, 'pack', '--ignore-scripts', '--pack-destination', folder);
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  if (!name) throw new Error('npm pack made no tarball');
  return join(folder, name);
}

/** A folder for the tests of a file, filled before the first. */
function useFolder(fill: (folder: string) => Promise<void>): () => string {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sachet-package-'));
    await fill(folder);
  }, 2 * installDeadline);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

/** Packs the package; gives the path of the tarball. */
export function usePacked(): () => string {
  let tarball = '';
  useFolder(async (folder) => {
    tarball = await pack(folder);
  });
  return () => tarball;
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Installs the package in a folder that was empty, beside these packages; gives its path. */
export const useInstalled = (packages: readonly string[] = [], files: Files = {}): (() => string) =>
  useFolder(async (folder) => {
    const tarball = await pack(folder);
    writeFiles(folder, { 'package.json': '{ "private": true, "type": "module" }', ...files });
    await npm(folder, 'install', '--prefer-offline', tarball, ...packages);
  });

/** The version of a package that this project is developed with, as npm takes it. */
export function asDeveloped(name: string): string {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return `${name}@${devDependencies[name]}`;
}
