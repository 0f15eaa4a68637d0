// Pages of others in a real Chromium, before a server of this process: they get nothing and do nothing, and each protection is why.
import { describe, expect, onTestFinished, test } from 'vitest';
import { type BrowserAttack, browserAttacks } from '../support/browser-attacks.ts';
import { useHostilePages } from '../support/hostile-browser.ts';
import { protections, type Target, target } from '../support/unprotected.ts';

const openPage = useHostilePages();

async function started(...gone: readonly string[]): Promise<Target> {
  const server = await target(gone);
  onTestFinished(() => server.close());
  return server;
}

/** Those that succeed on a server that lacks this protection, each on one of its own. */
async function successful(attacks: readonly BrowserAttack[], gone: string): Promise<string[]> {
  const found: string[] = [];
  for (const { what, from, succeeds } of attacks) {
    const server = await started(gone);
    if (await succeeds(await openPage(from, server), server)) found.push(what);
  }
  return found;
}

test.each(browserAttacks)('$what: in vain', async ({ from, succeeds }) => {
  const server = await started();
  expect(await succeeds(await openPage(from, server), server)).toBe(false);
});

describe('without a protection', () => {
  /** By itself Chromium asks before a page of another origin sends a key, and nobody without one is answered. */
  const unneeded = ['controlOrigin', 'controlKey'];

  const needed = protections.filter((name) => !unneeded.includes(name));

  test.each(needed)('“%s” pages succeed with what it holds off', async (gone) => {
    const own = browserAttacks.filter(({ heldOffBy }) => heldOffBy.includes(gone));
    expect(await successful(own, gone)).toEqual(own.map(({ what }) => what));
    expect(own.length).toBeGreaterThan(0);
  });

  test.each(unneeded)('“%s” another one still holds off all', { timeout: 120_000 }, async (gone) => {
    expect(protections).toContain(gone);
    expect(await successful(browserAttacks, gone)).toEqual([]);
  });

  const twice = browserAttacks.flatMap((one) => (one.heldOffByEach ? [{ ...one, all: one.heldOffByEach }] : []));
  test.each(twice)('of all that hold it off, $what', async ({ from, succeeds, all }) => {
    const server = await started(...all);
    expect(await succeeds(await openPage(from, server), server)).toBe(true);
  });
});

test('a rebound page learns from /health that a server is there, and no more', async () => {
  const server = await started();
  const page = await openPage('a rebound name', server);
  const told = await page.evaluate(async () => (await fetch('/health')).json());
  expect(Object.keys(told).sort()).toEqual(['status', 'version']);
});
