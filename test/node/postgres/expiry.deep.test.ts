// Sandboxes with a time to live, over three servers: it ends by the last use on any of them, for all of them.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { controlOf, postLogin } from '../../support/postgres/partner.ts';
import { ask } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { storeAt } from '../../support/postgres/stores.ts';
import { rowCounts } from '../../support/postgres/tables.ts';
import { loggedIn, namesOf, three, unseeded } from '../../support/postgres/three.ts';

const base = '/sandboxes/short';
const ttl_seconds = 60;
const born = ['production', 'stage'];

/** A sandbox with a time to live that all have open, and that nobody has used yet. */
async function begun() {
  const server = await three(unseeded);
  const before = await rowCounts(server.url);
  await server.controls[0].create({ name: 'short', ttl_seconds });
  for (const { sandboxes } of server.engines) expect(await sandboxes.get('short')).toBeDefined();
  return { ...server, before, age: (seconds: number) => age(server.url, seconds) };
}

/** Its last use is so many seconds ago from here on. */
async function age(url: string, seconds: number): Promise<void> {
  const text = `update sandboxes set used_at = clock_timestamp() - $1 * interval '1 second' where name = 'short'`;
  await ask(url, text, [seconds]);
}

async function secondsUnused(url: string): Promise<number> {
  const text = `select extract(epoch from clock_timestamp() - used_at)::float8 as seconds from sandboxes where name = 'short'`;
  return (await ask(url, text))[0]?.seconds;
}

describe.skipIf(postgresMissing())('a sandbox with a time to live', () => {
  test('that nobody uses ends for all, and leaves no row', async () => {
    const { url, each, before, age } = await begun();
    await age(ttl_seconds * 2);
    expect(await each(loggedIn('demo', base))).toEqual([404, 404, 404]);
    expect(await each(namesOf)).toEqual([born, born, born]);
    await expect.poll(() => rowCounts(url)).toEqual(before);
  });

  test('that is used on one server lives on for all', async () => {
    const { url, places, each, age } = await begun();
    await age(ttl_seconds - 20);
    expect(await loggedIn('demo', base)(places[1])).toBe(200);
    await expect.poll(() => secondsUnused(url)).toBeLessThan(20);
    expect(await each(namesOf)).toEqual(Array(3).fill(['production', 'short', 'stage']));
    expect(await each(loggedIn('demo', base))).toEqual([200, 200, 200]);
  });

  test('goes from the database also where nobody asks for it', async () => {
    const { url, before, age } = await begun();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    await storeAt(url);
    await age(ttl_seconds * 2);
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => rowCounts(url)).toEqual(before);
  });

  test('that is over can be made anew, by one', async () => {
    const { each, age } = await begun();
    await age(ttl_seconds * 2);
    const made = await each((place) =>
      controlOf(place)
        .create({ name: 'short' })
        .then(
          () => 201,
          ({ status }) => status,
        ),
    );
    expect(made.toSorted()).toEqual([201, 409, 409]);
    expect(await each(loggedIn('demo', base))).toEqual([200, 200, 200]);
  });

  test('that is over can be made anew by a login', async () => {
    const { places, each, age } = await begun();
    await age(ttl_seconds * 2);
    expect((await postLogin(places[1], 'demo+short')).status).toBe(200);
    expect(await each(loggedIn('demo', base))).toEqual([200, 200, 200]);
    expect(await controlOf(places[2]).sandbox('short').get()).toMatchObject({ made_by_login: true, ttl_seconds: null });
  });
});
