// Start here: where the sandbox is, who logs in to it, and the first calls, to be pasted or sent at once.

import { type Ordering, orderingIn } from '../../control/sample-order.ts';
import { pageAt, sampleOrderAt } from '../addresses.ts';
import { Action } from '../parts/action.tsx';
import { Empty } from '../parts/empty.tsx';
import type { Visit } from '../visit.ts';
import { Logins } from './logins.tsx';
import { FirstCalls } from './programs.tsx';
import { Where } from './where.tsx';
import { whyNoOrder } from './why-no-order.ts';

export async function startPage(visit: Visit) {
  const { sandbox, call } = visit;
  const ordering = await sandbox.readAt(call.machineTime, orderingIn);
  return (
    <section class="told start">
      <div class="head">
        <h1>Start here</h1>
        <div class="tools">
          <Action
            sandbox={sandbox.name}
            of="sandboxes.reset"
            label="Reset this sandbox"
            done={`The sandbox ${sandbox.name} is as it was made`}
            confirm={`Reset ${sandbox.name}? Its data, clock, switches and readings become as they were made, and its requests are forgotten.`}
            quiet
          />
        </div>
      </div>
      <p class="lead">
        A sandbox of the Order and Fulfillment Service: point your client at its base URL, and watch in{' '}
        <a href={pageAt(sandbox.name, 'requests')}>Live requests</a> what it sends and why it is answered so.
      </p>
      <Where visit={visit} />
      <h2>Send a sample order</h2>
      <SampleOrder visit={visit} ordering={ordering} />
      <h2>Logins</h2>
      <Logins sandbox={sandbox} />
      <FirstCalls visit={visit} ordering={ordering} />
    </section>
  );
}

interface OrderingProps {
  readonly visit: Visit;
  readonly ordering: Ordering | undefined;
}

/** The answer stays where it is when the page is looked at again. */
function SampleOrder({ visit: { sandbox }, ordering }: OrderingProps) {
  if (!ordering?.product)
    return (
      <Empty title={whyNoOrder(ordering)}>
        <p>
          <a href={pageAt(sandbox.name, 'catalog')}>Catalog and packaging</a> turns products on; a reset brings
          everything back as it was made.
        </p>
      </Empty>
    );
  return (
    <>
      <p>
        As <code>{ordering.user.username}</code>, for a new consumer: one pouch a day of {ordering.product.product_name}
        , for 30 days. Its two calls stand in Live requests; Conduct judges your client's alone.
      </p>
      <form class="action" hx-post={sampleOrderAt(sandbox.name)} hx-target="#sample-answer" hx-sync="drop">
        <button type="submit">Send a sample order</button>
      </form>
      <div id="sample-answer" role="status" hx-morph-skip-children="true" />
    </>
  );
}
