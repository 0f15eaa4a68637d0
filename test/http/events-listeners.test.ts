// Listeners to the live feed who are slow, far behind, many, or gone: none of them harms the sandbox or another listener.
import { describe, expect, test } from 'vitest';
import { type BareSachet, bareSachet, send } from '../support/bare-sachet.ts';
import { eventsOf, type Follower, follow, followerOf, idsOf, numbers } from '../support/follower.ts';

/** Events that a feed keeps, and that a listener may be behind. */
const kept = 1000;

async function calls(sachet: BareSachet, count: number, path = '/v2/products'): Promise<void> {
  for (let n = 0; n < count; n += 1) expect((await send(sachet, 'GET', path)).status).toBe(401);
}

/** Reads on, coming back with the last id where the stream ends, until the event of this id came. */
async function readTo(sachet: BareSachet, last: number, from: Follower): Promise<(number | string | undefined)[]> {
  const came: (number | string | undefined)[] = [];
  let follower = from;
  for (let connections = 1; came.at(-1) !== last; ) {
    const event = await follower.next();
    if (event) came.push(event.id ?? event.type);
    else {
      connections += 1;
      expect(connections, `never came to event ${last}: ${came.slice(-3)}`).toBeLessThan(10);
      follower = await follow(
        sachet,
        'stage',
        came.findLast((id): id is number => typeof id === 'number'),
      );
    }
  }
  return came;
}

/** A sandbox whose feed has told so many events to nobody. */
async function told(count: number): Promise<BareSachet> {
  const sachet = bareSachet();
  await (await follow(sachet)).leave();
  await calls(sachet, count);
  return sachet;
}

describe('a listener who comes back', () => {
  test.each([kept - 2, kept - 1, kept])('%i events late misses nothing', async (late) => {
    const sachet = await told(late + 1);
    const follower = await follow(sachet, 'stage', 1);
    await calls(sachet, 1);
    expect(await readTo(sachet, late + 2, follower)).toEqual(numbers(2, late + 2));
  });

  test.each([kept + 1, kept + 100])('%i events late is told that it missed some, and gets the rest', async (late) => {
    const sachet = await told(late + 1);
    const follower = await follow(sachet, 'stage', 1);
    await calls(sachet, 1);
    const came = await readTo(sachet, late + 2, follower);
    expect(came).toContain('missed');
    const ids = came.filter((id) => id !== 'missed');
    expect(ids).toEqual(numbers(late + 3 - ids.length, late + 2));
    expect(ids.length).toBeGreaterThanOrEqual(kept);
  });

  test('late does no harm to those who call', async () => {
    const sachet = await told(kept + 50);
    for (const id of [0, 1, 50, 51, 99_999]) await eventsOf(sachet, 'stage', id);
    await calls(sachet, 3);
    await sachet.control.sandbox('stage').clock.advance({ seconds: 1 });
  });
});

describe('a listener who does not read', () => {
  test('does not keep the others from their events', async () => {
    const sachet = bareSachet();
    await eventsOf(sachet);
    const follower = await follow(sachet);
    for (let n = 0; n < 30; n += 1) {
      await calls(sachet, 50);
      expect(idsOf(await follower.take(50))).toEqual(numbers(n * 50 + 1, n * 50 + 50));
    }
  });

  test('is sent away when it is too far behind, and comes back where it was', async () => {
    const sachet = bareSachet();
    const response = await eventsOf(sachet);
    await calls(sachet, kept + 200);
    const follower = followerOf(response);
    expect(await readTo(sachet, kept + 200, follower)).toEqual(numbers(1, kept + 200));
  });
});

test('a listener who is 32 MiB behind is sent away, and no more is held for it', async () => {
  const sachet = bareSachet();
  const response = await eventsOf(sachet);
  const body = { text: 'x'.repeat(900_000) };
  for (let n = 0; n < 50; n += 1) await send(sachet, 'POST', '/v2/orders', { body });
  const { byteLength } = await response.arrayBuffer();
  expect(byteLength).toBeGreaterThan(33_554_432);
  expect(byteLength).toBeLessThan(33_554_432 + 1_000_000);
});

test('several listeners get the same events', async () => {
  const sachet = bareSachet();
  const followers = await Promise.all(Array.from({ length: 20 }, () => follow(sachet)));
  await calls(sachet, 3);
  const all = await Promise.all(followers.map((follower) => follower.take(3)));
  expect(idsOf(all[0] ?? [])).toEqual([1, 2, 3]);
  for (const events of all) expect(events).toEqual(all[0]);
});

test('listeners who left are told nothing more, and those who stay everything', async () => {
  const sachet = bareSachet();
  const staying = await follow(sachet);
  for (let round = 1; round <= 40; round += 1) {
    const leaving = await Promise.all(Array.from({ length: 5 }, () => follow(sachet)));
    await calls(sachet, 1);
    await leaving[0]?.next();
    await Promise.all(leaving.map((follower) => follower.leave()));
    await calls(sachet, 1);
    for (const follower of leaving) expect(await follower.next()).toBeUndefined();
  }
  expect(idsOf(await staying.take(80))).toEqual(numbers(1, 80));
});

/** Lets so many steps of what is under way be done. */
const steps = async (count: number) => {
  for (let step = 0; step < count; step += 1) await Promise.resolve();
};

/** Of a listener who came while the sandbox went: there was none any more, or the stream ends. */
async function expectOver(response: Response): Promise<void> {
  if (response.ok) expect(await followerOf(response).rest()).toEqual([]);
  else expect(response.status).toBe(404);
}

test('a listener who comes while the sandbox is deleted is not kept waiting', async () => {
  const sachet = bareSachet();
  const deleted = () => sachet.control.sandbox('w1').delete();
  for (let apart = 0; apart < 20; apart += 1) {
    await sachet.control.create({ name: 'w1' });
    const coming = eventsOf(sachet, 'w1');
    await steps(apart);
    await Promise.all([coming.then(expectOver), deleted()]);
    await sachet.control.create({ name: 'w1' });
    const going = deleted();
    await steps(apart);
    await Promise.all([eventsOf(sachet, 'w1').then(expectOver), going]);
  }
});

test('a listener who comes while the server closes is not kept waiting', async () => {
  for (let apart = 0; apart < 20; apart += 1) {
    const sachet = bareSachet();
    await sachet.control.list();
    const coming = eventsOf(sachet);
    await steps(apart);
    sachet.close();
    await expectOver(await coming);
  }
});
