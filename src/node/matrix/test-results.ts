// The tests that failed in a run, as the results that the user's command wrote name them: JUnit XML, or JSON of Vitest
// or Jest.
import { type BigIntStats, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { z } from 'zod';

/** A test that failed. JUnit XML without files has the class instead. */
export interface FailedTest {
  readonly file: string;
  readonly name: string;
}

export interface TestResults {
  /** null if the results could not be read. */
  readonly failed_tests: readonly FailedTest[] | null;
  /** What could not be read. */
  readonly results_problem: string | null;
}

const maxFiles = 10_000;
const maxMegabytes = 50;
/** The most that are kept of a run. */
const maxFailed = 1000;

/**
 * Call it before a run. It returns the function that reads the results after the run: only from files that the run has
 * written, never from older ones.
 * @param path a file, a folder, or a pattern such as `target/surefire-reports/TEST-*.xml`
 */
export function watchResults(path: string): () => TestResults {
  const before = stampsAt(path);
  return () => {
    const written = [...stampsAt(path)].flatMap(([file, stamp]) => (before.get(file) === stamp ? [] : [file]));
    if (written.length > 0) return readResults(path, written);
    return { failed_tests: null, results_problem: `the run wrote no results file at ${path}` };
  };
}

function readResults(path: string, files: readonly string[]): TestResults {
  const found = new Map<string, FailedTest>();
  const problems: string[] = [];
  let isKnown = false;
  for (const file of files) {
    try {
      const failed = failedTestsIn(file);
      isKnown ||= failed !== undefined;
      for (const test of failed ?? []) found.set(nameOf(test), test);
    } catch (error) {
      problems.push(`${file} cannot be read: ${(error as Error).message.replace(/\n.*/s, '')}`);
    }
  }
  if (!isKnown && problems.length === 0) problems.push(`${path} is neither JUnit XML nor JSON of Vitest or Jest`);
  const failed_tests = isKnown ? [...found.values()].slice(0, maxFailed) : null;
  return { failed_tests, results_problem: problems[0] ?? null };
}

/** The test on one line. */
export const nameOf = ({ file, name }: FailedTest): string => (file === '' ? name : `${file}: ${name}`);

/** What changes when a file is written again. Not compared with the time of a clock, which file systems round. */
function stampsAt(path: string): Map<string, string> {
  const stamps = new Map<string, string>();
  for (const file of filesAt(path)) {
    const found = statOf(file);
    if (found?.isFile()) stamps.set(file, `${found.ino} ${found.mtimeNs} ${found.size}`);
  }
  return stamps;
}

/** In a folder: all XML and JSON files, also those of its folders. */
function filesAt(path: string): string[] {
  const isFolder = statOf(path)?.isDirectory() ?? false;
  if (!isFolder && !path.includes('*')) return [path];
  const pattern = normalize(isFolder ? `${path}/**/*` : path);
  const base = dirname(pattern.replace(/\*.*/s, 'x'));
  if (!statOf(base)?.isDirectory()) return [];
  const isWanted = patternExpression(pattern);
  // With types, because the names alone would also follow links, which may lead back.
  return readdirSync(base, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => isWanted.test(file) && (!isFolder || /\.(?:xml|json)$/i.test(file)))
    .slice(0, maxFiles);
}

/** Undefined for a path that does not exist, or is not accessible. */
function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** `*` stands for a part of a name, and `**` with a slash for any folders. */
function patternExpression(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/|\*)/).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    return part === '*' ? '[^/]*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** @returns undefined for a file of another kind @throws Error for one that is broken or too large */
function failedTestsIn(file: string): FailedTest[] | undefined {
  if (statSync(file).size > maxMegabytes * 2 ** 20) throw new Error(`it is larger than ${maxMegabytes} MiB`);
  const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  return text.trimStart().startsWith('<') ? failedInXml(text) : failedInJson(text);
}

const jsonResults = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string().optional(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()).default([]), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

function failedInJson(text: string): FailedTest[] | undefined {
  const { data } = jsonResults.safeParse(JSON.parse(text));
  return data?.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = fromHere(name);
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ ancestorTitles, title }) => ({ file, name: [...ancestorTitles, title].filter(Boolean).join(' > ') }));
    // A file that cannot be imported has no tests.
    return status === 'failed' && failed.length === 0 ? [{ file, name: '(the whole file)' }] : failed;
  });
}

function failedInXml(text: string): FailedTest[] | undefined {
  const { root } = parseXml(text);
  return root && ['testsuites', 'testsuite'].includes(root.name) ? [...failedCases(root, '')] : undefined;
}

/** @param file of the suite, if it names one */
function* failedCases({ name, attributes, children }: XmlElement, file: string): Generator<FailedTest> {
  const own = attributes.file ? fromHere(attributes.file) : file;
  const elements = children.filter((child) => child instanceof XmlElement);
  if (name !== 'testcase') for (const element of elements) yield* failedCases(element, own);
  else if (elements.some((element) => ['failure', 'error'].includes(element.name)))
    yield { file: own || (attributes.classname ?? ''), name: attributes.name ?? '' };
}

/** A path in this folder is shown relative to it. */
function fromHere(path: string): string {
  const here = relative(process.cwd(), path);
  return here === '' || here.startsWith('..') ? path : here;
}
