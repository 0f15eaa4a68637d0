// What the ledger is made from: the sources, and the real names of the tests, which the runner lists without running them.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { cleanEnvironment, root } from './command.ts';

/** A test by its file, from the repository's root, and its full name: `describe > title`. */
export interface ListedTest {
  readonly file: string;
  readonly name: string;
}

/** A file of src by its path from the repository's root. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

const runner = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** What a page or a document says of a rule is no proof that the server keeps it. */
const ofDocuments = /^test\/(?:docs|console|contract\/openapi|browser)\/|^test\/http\/(?:openapi|docs)-/;

/** Every test of the suite, but those about pages and documents, in the order of their files and of their places in them. */
export async function listedTests(): Promise<ListedTest[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sachet-ledger-'));
  const file = join(folder, 'tests.json');
  try {
    const args = [
      runner,
      'list',
      '--project',
      'fast',
      '--project',
      'deep',
      '--maxWorkers=1',
      '--pool=vmThreads',
      `--json=${file}`,
    ];
    await promisify(execFile)(process.execPath, args, { cwd: root, env: cleanEnvironment(), timeout: 150_000 });
    const listed: ListedTest[] = JSON.parse(readFileSync(file, 'utf8'));
    const all = listed.map((test) => ({ file: relative(root, test.file).replaceAll('\\', '/'), name: test.name }));
    return all
      .filter(({ file: from }) => !ofDocuments.test(from))
      .sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files that only list or describe rules; a reader who looks for the code that enforces one does not look there. */
const catalogues = /^src\/(?:contract\/(?:rules|assumptions|orders)\.ts|openapi\/|http\/docs\/|console\/|client\/)/;
/** For an assumption the catalogue of refusals is code that follows it: it gives the status and the words. */
const registers = /^src\/(?:contract\/assumptions\.ts|openapi\/|http\/docs\/|console\/|client\/)/;

export const enforces = ({ file }: SourceFile): boolean => !catalogues.test(file);
export const decides = ({ file }: SourceFile): boolean => !registers.test(file);

export const sourceFiles = (): SourceFile[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
