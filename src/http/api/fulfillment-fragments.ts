// The JSON of fulfillments. With its label URL it holds for a second of the sandbox's clock, under one base URL, lifetime and generation.
import type { RecordOf } from '../../contract/records.ts';
import { Fragment } from '../../control/journal/pieces.ts';
import { type FulfillmentView, fulfillmentView, presentFulfillment, statusIdOf } from '../../domain/present.ts';
import type { Identity, World } from '../../domain/world.ts';
import { Fragments } from './fragments.ts';

type Row = RecordOf<'fulfillments'>;
const [listed, single] = [new Fragments<Row>(), new Fragments<Row>()];

/** Makes the fragments of fulfillments as this world shows them in lists. */
export const fulfillmentFragments = (world: World) => makerOf(world, listed, (shown) => shown);

/** The same of a fulfillment alone: `{"fulfillment":{…}}`. */
export const wrappedFragments = (world: World) => makerOf(world, single, (fulfillment) => ({ fulfillment }));

function makerOf(world: World, fragments: Fragments<Row>, wrap: (shown: object) => object): (row: Row) => Fragment {
  let view: FulfillmentView | undefined;
  return (row) => {
    // Where nothing is shown, nothing is asked for.
    view ??= currentView(world);
    const shown = view;
    const make = () => wrap(presentFulfillment(shown, row, statusIdOf(world, row, shown.statusId)));
    // By `uuid` it hangs on the record of its status, too.
    return shown.statusId === 'uuid' ? new Fragment(JSON.stringify(make())) : fragments.of(row, shown, make);
  };
}

/** The last view of each sandbox. */
const views = new WeakMap<Identity, FulfillmentView>();

/** The view of this world: the very same as before, while all of it is the same. */
function currentView(world: World): FulfillmentView {
  const view = fulfillmentView(world);
  const last = views.get(world.identity);
  if (last && isSame(last, view)) return last;
  views.set(world.identity, view);
  return view;
}

const isSame = (one: FulfillmentView, other: FulfillmentView): boolean =>
  isShallowlySame(one, { ...other, issue: one.issue }) && isShallowlySame(one.issue, other.issue);

function isShallowlySame<T extends object>(one: T, other: T): boolean {
  for (const key in one) if (one[key] !== other[key]) return false;
  return true;
}
