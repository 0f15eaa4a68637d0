// Pages of others get nothing and do nothing; and there is no protection without which that would still be so.
import { describe, expect, onTestFinished, test } from 'vitest';
import { pageAttacks } from '../../support/page-attacks.ts';
import { protections, target } from '../../support/unprotected.ts';

/** The attacks that succeed on a server that lacks these protections, each on one of its own. */
async function successful(...gone: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { what, succeeds } of pageAttacks) {
    const server = await target(gone);
    onTestFinished(() => server.close());
    if (await succeeds(server)) found.push(what);
  }
  return found;
}

test('with all protections every attack fails', async () => {
  expect(await successful()).toEqual([]);
});

describe('taken away', () => {
  test.each(protections)('the protection “%s” leaves the attacks that it holds off', async (gone) => {
    const own = pageAttacks.filter(({ heldOffBy }) => heldOffBy.includes(gone)).map(({ what }) => what);
    expect(own.length).toBeGreaterThan(0);
    expect(await successful(gone)).toEqual(own);
  });

  const twice = pageAttacks.flatMap(({ what, heldOffByEach }) => (heldOffByEach ? [{ what, heldOffByEach }] : []));
  test.each(twice)('all that hold it off, $what', async ({ what, heldOffByEach }) => {
    expect(await successful(...heldOffByEach)).toContain(what);
  });

  test('is each of those that there are', () => {
    expect(protections).toEqual([
      'portHost',
      'portCrossSite',
      'controlHost',
      'controlOrigin',
      'controlKey',
      'x-content-type-options',
      'cross-origin-resource-policy',
      'cross-origin-opener-policy',
      'content-security-policy',
    ]);
  });
});
