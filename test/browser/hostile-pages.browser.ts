// Hostile pages get nothing and do nothing, and each protection is needed for that. The server runs in this process.
import { expect, onTestFinished, test } from 'vitest';
import { protections, target } from '../http/pages/unprotected.ts';
import { type Attack, attacks, run } from './attacks.ts';

async function serverWithout(...protections: readonly string[]) {
  const server = await target(protections);
  onTestFinished(() => server.close());
  return server;
}

const titleOf = ({ what, from }: Attack): string => `a page of ${from} ${what}`;

async function successful(some: readonly Attack[], ...gone: readonly string[]): Promise<string[]> {
  const titles: string[] = [];
  const server = await serverWithout(...gone);
  for (const attack of some) if (await run(attack, server)) titles.push(titleOf(attack));
  return titles;
}

test('no attack succeeds', async () => {
  expect(await successful(attacks)).toEqual([]);
});

/** Chromium asks before a page of another origin sends a key, and without a key nothing is answered. */
const covered = ['controlOrigin', 'controlKey'];

test.each(covered)('without %s other protections are enough', async (gone) => {
  expect(
    await successful(
      attacks.filter(({ needs }) => !needs),
      gone,
    ),
  ).toEqual([]);
});

test.each(protections.filter((name) => !covered.includes(name)))(
  'each attack on %s succeeds without it',
  async (gone) => {
    const own = attacks.filter(({ needs }) => needs?.includes(gone));
    const successful: Attack[] = [];
    for (const attack of own) if (await run(attack, await serverWithout(gone))) successful.push(attack);
    expect(own.length).toBeGreaterThan(0);
    expect(successful.map(titleOf)).toEqual(own.map(titleOf));
  },
);

test('forms succeed without key and origin check', async () => {
  for (const attack of attacks.filter(({ needsOneOf }) => needsOneOf))
    expect(await run(attack, await serverWithout(...(attack.needsOneOf ?? []))), titleOf(attack)).toBe(true);
});

test('a rebound page learns from /health the status and the version only', async () => {
  let names: string[] = [];
  const succeeds: Attack['succeeds'] = async (page) => {
    names = await page.evaluate(async () => Object.keys(await (await fetch('/health')).json()));
    return true;
  };
  await run({ what: 'reads /health', from: 'a rebound name', succeeds }, await serverWithout());
  expect(names.sort()).toEqual(['status', 'version']);
});
