// The packed package by the judgement of the two tools that package authors trust: publint, and are-the-types-wrong.
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData, type Problem, type ResolutionKind } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { expect, test } from 'vitest';
import { usePacked } from './package-folder.ts';

const tarball = usePacked();

/** What cannot be otherwise: the kind, the resolution, and the entries that it may concern. */
const byDefinition: readonly (readonly [Problem['kind'], ResolutionKind, RegExp])[] = [
  // Vitest is an ES module, too.
  ['CJSResolvesToESM', 'node16-cjs', /^\.\/vitest/],
  // The resolution of Node 10 knows no `exports`.
  ['NoResolution', 'node10', /^\.\//],
];

test('publint has nothing to say', async () => {
  const { messages } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball())).buffer },
    strict: true,
  });
  expect(messages).toEqual([]);
});

test('the types are right for everyone who can load the package', async () => {
  const found = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball()))));
  if (!found.types) throw new Error('the package has no types');
  expect(Object.keys(found.entrypoints)).toEqual(['.', './node', './vitest', './vitest/server', './package.json']);
  const others = found.problems.filter(
    (problem) =>
      !byDefinition.some(
        ([kind, resolution, entries]) =>
          problem.kind === kind &&
          'resolutionKind' in problem &&
          problem.resolutionKind === resolution &&
          entries.test(problem.entrypoint),
      ),
  );
  expect(others).toEqual([]);
});
