// A package's tracking page as somebody opens it who has its tracking_url: what became of the package, and nothing else.
import { describe, expect, test } from 'vitest';
import { hour, type Operated, operated, seen } from '../support/operator.ts';
import { fixtures } from '../support/sachet.ts';

/** The page of an address. */
async function open({ sachet }: Pick<Operated, 'sachet'>, url: string, method = 'GET') {
  const { status, text, headers } = await sachet.call(method, url);
  const [, heading] = /<h1[^>]*>([^<]*)</.exec(text) ?? [];
  const events = Array.from(text.matchAll(/<li>([^<]*?) <time datetime="([^"]*)"/g), ([, name, at]) => [name, at]);
  return { status, text, headers, heading, events };
}

const urlOf = async (world: Operated, id: string): Promise<string> =>
  (await seen(world, id)).tracking_info.tracking_url;

describe('the page of a package', () => {
  test('tells its moves, the newest first, by the clock of the sandbox', async () => {
    const world = await operated();
    const id = await world.packageIn('label_created');
    const at = [(await world.stage.clock.get()).now];
    for (const [index, action] of ['pick_up', 'depart', 'delay', 'deliver'].entries()) {
      await world.setTo((index + 1) * hour);
      at.push((await world.move(id, action)).body.updated_at);
    }
    const { status, heading, events } = await open(world, await urlOf(world, id));
    expect([status, heading]).toEqual([200, 'Delivered']);
    const names = ['Label Created', 'Picked Up', 'In Transit', 'Delayed', 'Delivered'];
    expect(events).toEqual(names.map((name, index) => [name, at[index]]).reverse());
  });

  test('tells updates that came twice or late as they came', async () => {
    const world = await operated();
    const id = await world.packageIn('delivered');
    for (const action of ['deliver', 'pick_up']) await world.move(id, action, { force: true });
    const { heading, events } = await open(world, await urlOf(world, id));
    const told = ['Picked Up', 'Delivered', 'Delivered', 'Picked Up', 'Label Created'];
    expect([heading, events.map(([name]) => name)]).toEqual(['Picked Up', told]);
  });

  test('keeps to what happened where a tester changes the record', async () => {
    const world = await operated();
    const id = await world.packageIn('in_transit');
    const url = await urlOf(world, id);
    const { events } = await open(world, url);
    await world.setTo(hour);
    await world.stage.records.fulfillments.update(id, { weight: 7 });
    expect((await open(world, url)).events).toEqual(events);
  });

  test('tells what happened in one instant in its order, also of a package that a tester made', async () => {
    const world = await operated();
    const { id: _, ...shipped } = await world.package(await world.packageIn('label_created'));
    const { id } = await world.stage.records.fulfillments.create({ ...shipped, order_lines: [] });
    await world.stage.records.fulfillments.delete(
      (await world.stage.records.fulfillments.list()).fulfillments.at(-2)?.id ?? '',
    );
    for (const action of ['pick_up', 'deliver']) await world.move(id, action);
    const { events } = await open(world, await urlOf(world, id));
    expect(events.map(([name]) => name)).toEqual(['Delivered', 'Picked Up', 'Label Created']);
  });

  test('still tells what happened where the clock is set back', async () => {
    const world = await operated();
    const id = await world.packageIn('delivered');
    await world.setTo(-hour);
    const { heading, events } = await open(world, await urlOf(world, id));
    expect([heading, events.length]).toEqual(['Delivered', 3]);
  });

  test.each(fixtures.fulfillments.filter(({ tracking_info }) => tracking_info).map((one) => [one.id, one] as const))(
    'of the fixtures tells what its record tells: %s',
    async (_, { tracking_info, created_at, pickup_date, delivery_date, status_id, updated_at }) => {
      const world = await operated();
      const { heading, events } = await open(world, `/_tracking/${tracking_info?.tracking_number}`);
      const status = fixtures.fulfillment_statuses.find(({ id }) => id === status_id)?.name;
      const dated = ['label_created', 'picked_up', 'delivered'].includes(status_id);
      const dates = [created_at, pickup_date, delivery_date, dated ? null : updated_at].filter((date) => date !== null);
      expect([heading, events.map(([, at]) => at)]).toEqual([status, dates.toSorted().reverse()]);
    },
  );

  test('is there at the plain base URL and at the sandbox’s own, and answers HEAD', async () => {
    const world = await operated();
    const url = await urlOf(world, await world.packageIn('picked_up'));
    expect(url).toMatch(/^http:\/\/localhost:4010\/sandboxes\/stage\/_tracking\/\w+$/);
    const pages = await Promise.all([url, url.replace('/sandboxes/stage', '')].map((one) => open(world, one)));
    expect(pages[1]?.text).toBe(pages[0]?.text);
    const head = await open(world, url, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('stands in the journal, and no fault meets it', async () => {
    const world = await operated();
    const url = await urlOf(world, await world.packageIn('picked_up'));
    await world.stage.switches.set({ maintenance: { for_seconds: 60 } });
    const { status, headers } = await open(world, url);
    const entry = (await world.stage.requests.list()).requests.at(-1);
    expect([status, entry?.id]).toEqual([200, headers.get('sandbox-request-id')]);
    expect(entry).toMatchObject({ operation: null, status: 200, decision: { stage: 'tracking' } });
  });
});

describe('there is no page', () => {
  test.each(['nobody', '%3Cscript%3E', '%2e%2e%2f', 'a%00b', '%zz', `${'9'.repeat(10_000)}`])(
    'of %s',
    async (number) => {
      const { status, heading, text } = await open(await operated(), `/_tracking/${number}`);
      expect([status, heading]).toEqual([404, 'Package not found']);
      expect(text).not.toContain('<script');
    },
  );

  test('of another sandbox’s package, nor in a sandbox that is not there', async () => {
    const world = await operated();
    const url = await urlOf(world, await world.packageIn('picked_up'));
    const outcome = async (name: string) => open(world, url.replace('/stage/', `/${name}/`));
    expect([(await outcome('production')).status, (await outcome('nobody')).heading]).toEqual([
      404,
      'Sandbox not found',
    ]);
  });

  test.each(['POST', 'PUT', 'DELETE'])('to %s', async (method) => {
    const world = await operated();
    expect((await open(world, await urlOf(world, await world.packageIn('picked_up')), method)).status).toBe(404);
  });
});

test('a carrier with its public pattern links to its own page from then on', async () => {
  const world = await operated();
  const before = await world.packageIn('picked_up');
  const carrier = 'ups';
  const tracking_url = 'https://www.ups.com/track?tracknum={tracking_number}';
  await world.stage.records.carriers.update(carrier, { tracking_url });
  const { body } = await world.ship(await world.inProduction(), { carrier });
  const { tracking_number } = body.tracking_info;
  expect(await urlOf(world, body.id)).toBe(`https://www.ups.com/track?tracknum=${tracking_number}`);
  expect(await urlOf(world, before)).toContain('/_tracking/');
});

test('the public URL stands in tracking URLs, too', async () => {
  const world = await operated({ publicUrl: 'https://demo.example/partners' });
  const url = await urlOf(world, await world.packageIn('picked_up'));
  expect(url).toMatch(/^https:\/\/demo\.example\/partners\/sandboxes\/stage\/_tracking\//);
});
