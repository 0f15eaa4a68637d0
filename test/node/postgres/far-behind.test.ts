// A server that has not asked for a sandbox for a while: what others wrote meanwhile is told by what it is now, where that is less.
import { expect, test } from 'vitest';
import { changesOf } from '../../../src/state/changes.ts';
import type { Change, Root } from '../../../src/state/root.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { databaseOfTest, storeAt } from '../../support/postgres/stores.ts';
import { bornRoot } from '../../support/roots.ts';

const megabyte = 1_000_000;
const written = (root: Root): Change[] => [
  { value: 'operator', to: { ...root.values.operator, name: 'n'.repeat(megabyte) } },
];

test.skipIf(postgresMissing())('what is more than 16 MiB of changes is read as the sandbox is now', async () => {
  const url = await databaseOfTest();
  const [one, other] = [await storeAt(url), await storeAt(url)];
  const root = bornRoot();
  await one.append('stage', 0, changesOf(root), { to: root });
  await other.load('stage');
  let version = 1;
  const writeTo = async (last: number) => {
    for (; version < last; version += 1)
      expect(await one.append('stage', version, written(root), { from: root, to: root })).toBe('committed');
  };
  await writeTo(11);
  expect((await other.since('stage', 1))?.map((commit) => commit.version)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  await writeTo(21);
  const commits = (await other.since('stage', 1)) ?? [];
  expect(commits.map((commit) => [commit.version, commit.isWhole])).toEqual([[21, true]]);
  expect([...(commits[0]?.changes ?? [])]).toContainEqual(written(root)[0]);
});
