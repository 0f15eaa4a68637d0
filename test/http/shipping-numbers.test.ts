// The ids and numbers of shipments: no two are alike, and carriers could read them.
import { expect, test } from 'vitest';
import { addressIn, lineIds, linesOf, type Operated, operated } from '../support/operator.ts';
import { isTrackingNumber } from '../support/tracking-forms.ts';

const formats = {
  UPS: 'ups_1z',
  USPS: 'usps_22',
  'USPS International': 'upu_s10',
  FedEx: 'fedex_12',
  'DHL Express': 'dhl_10',
} as const;

interface Shipped {
  readonly id: string;
  readonly shipment_order_id: string;
  readonly shipment_order_number: string;
  readonly tracking_info: { readonly shipping_carrier: keyof typeof formats; readonly tracking_number: string };
}

/** Ships each of so many lines by itself. */
async function shipEach(world: Operated, count: number, country: string): Promise<Shipped[]> {
  const id = await world.inProduction({ ...linesOf(count), ...addressIn(country) });
  const shipped: Shipped[] = [];
  for (const line of await lineIds(world, id)) {
    const { status, body } = await world.ship(id, { order_lines: [line] });
    expect(status).toBe(201);
    shipped.push(body);
  }
  return shipped;
}

const numbersOf = (shipped: readonly Shipped[]): Readonly<Record<string, readonly string[]>> => ({
  ids: shipped.map(({ id }) => id),
  orders: shipped.map((one) => one.shipment_order_id),
  orderNumbers: shipped.map((one) => one.shipment_order_number),
  tracking: shipped.flatMap(({ tracking_info }) => tracking_info?.tracking_number ?? []),
});

test('of three hundred shipments and those of the fixtures all are different, and every check digit is right', async () => {
  const world = await operated();
  const shipped: Shipped[] = [];
  for (const country of ['United States', 'Germany', 'USA']) shipped.push(...(await shipEach(world, 100, country)));
  expect(shipped).toHaveLength(300);
  const wrong = shipped.filter(
    ({ tracking_info: { shipping_carrier, tracking_number } }) =>
      !isTrackingNumber(formats[shipping_carrier], tracking_number),
  );
  expect(wrong).toEqual([]);
  const { fulfillments } = await world.stage.records.fulfillments.list();
  expect(fulfillments.length).toBeGreaterThan(300);
  for (const [kind, numbers] of Object.entries(numbersOf(fulfillments as unknown as Shipped[])))
    expect(
      numbers.filter((one, index) => numbers.indexOf(one) !== index),
      kind,
    ).toEqual([]);
});

test('a package that was taken away and shipped again has a tracking number of its own', async () => {
  const world = await operated();
  const id = await world.inProduction();
  const numbers: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { body } = await world.ship(id, { carrier: 'ups' });
    numbers.push(body.tracking_info.tracking_number);
    await world.stage.records.fulfillments.delete(body.id);
  }
  expect(new Set(numbers).size).toBe(5);
});

test('a tracking number that a tester gave a package is given to no other', async () => {
  const [first, second] = [await operated(), await operated()];
  const { tracking_number } = (await shipEach(first, 1, 'USA'))[0]?.tracking_info ?? {};
  const [fulfillment] = (await second.stage.records.fulfillments.list()).fulfillments;
  const { id = '', tracking_info } = fulfillment ?? {};
  const tracking = { ...tracking_info, tracking_number };
  await second.stage.records.fulfillments.update(id, { tracking_info: tracking });
  const shipped = await shipEach(second, 1, 'USA');
  expect(shipped[0]?.tracking_info.tracking_number).not.toBe(tracking_number);
});

test('a sandbox that begins with the shipments of another counts on behind them', async () => {
  const first = await operated();
  const made = await shipEach(first, 3, 'USA');
  const { data } = await first.stage.state.get();
  const second = await operated({ fixtures: data });
  const all = numbersOf([...made, ...(await shipEach(second, 3, 'USA'))]);
  for (const [kind, numbers] of Object.entries(all)) expect(new Set(numbers).size, kind).toBe(6);
});

test('the id of a package that was removed goes to no other', async () => {
  const world = await operated();
  const id = await world.inProduction();
  const first = (await world.ship(id)).body.id;
  await world.stage.records.fulfillments.delete(first);
  expect((await world.ship(id)).body.id).not.toBe(first);
});
