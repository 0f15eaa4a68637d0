// One fulfillment: the package's facts, its way, its label, and what can become of it now.
import { sandboxBase } from '../../contract/addresses.ts';
import { type ShownFulfillment, shownFulfillment } from '../../control/shown-fulfillment.ts';
import { labelSvg } from '../../http/storage/label-svg.ts';
import { oneAt } from '../addresses.ts';
import { Fact } from '../parts/fact.tsx';
import { Instant } from '../parts/instant.tsx';
import { PackageBadge } from '../parts/package-badge.tsx';
import { stepWords, Way } from '../parts/way.tsx';
import type { Visit } from '../visit.ts';
import { PackageActions } from './package-actions.tsx';

export async function fulfillmentPage({ sandbox, call }: Visit, id: string) {
  const baseUrl = call.origin + sandboxBase(sandbox.name);
  const { hashes } = call.edge;
  const shown = await sandbox.readAt(call.machineTime, (draft, now) =>
    shownFulfillment(draft, id, { now, hashes }, baseUrl),
  );
  const { record, status, events, next, isAutomatic } = shown;
  return (
    <article class="record">
      <div class="head">
        <h1>
          Fulfillment <span class="id">{record.id}</span>
        </h1>
        <div class="tools">
          <PackageBadge id={record.status_id} name={status} />
        </div>
      </div>
      <PackageActions sandbox={sandbox.name} shown={shown} />
      <div class="sides">
        <div>
          <h2>The package</h2>
          <Facts sandbox={sandbox.name} shown={shown} />
          <h2>Its way</h2>
          <Way
            moments={events.map(({ at, name }) => ({ at, words: name }))}
            next={next ? [{ at: next.dueAt, words: stepWords[next.step] }] : []}
            isAutomatic={isAutomatic}
          />
        </div>
        <div>
          <h2>Its label</h2>
          {await labelSvg(shown.label)}
          <LabelLink shown={shown} />
        </div>
      </div>
    </article>
  );
}

interface Props {
  readonly sandbox: string;
  readonly shown: ShownFulfillment;
}

function Facts({ sandbox, shown: { record, consumer, trackingUrl } }: Props) {
  const { order_id, tracking_info: tracking, shipment_order_number: number, shipment_order_id } = record;
  return (
    <dl class="facts">
      <Fact name="Order">
        <a class="id" href={oneAt(sandbox, 'orders', order_id)}>
          {order_id}
        </a>
      </Fact>
      <Fact name="Consumer">{consumer}</Fact>
      <Fact name="Contents">{record.order_lines.map(({ name }) => name).join(', ') || 'nothing'}</Fact>
      <Fact name="Shipment">
        {number} <span class="muted">({shipment_order_id})</span>
      </Fact>
      <Fact name="Carrier">
        {tracking ? `${tracking.shipping_carrier}, ${tracking.shipping_method}` : 'none assigned yet'}
      </Fact>
      {tracking && trackingUrl && (
        <Fact name="Tracking">
          <span class="id">{tracking.tracking_number}</span>{' '}
          <a href={trackingUrl} target="_blank" rel="noopener noreferrer">
            Tracking page
          </a>
        </Fact>
      )}
      <Fact name="Weight">{record.weight} g</Fact>
      <Fact name="Shipping charge">{record.shipping_net_charge}</Fact>
      <DateFact name="Created" at={record.created_at} />
      <DateFact name="Picked up" at={record.pickup_date} />
      <DateFact name="Delivered" at={record.delivery_date} />
      <DateFact name="Last change" at={record.updated_at} />
    </dl>
  );
}

const DateFact = ({ name, at }: { readonly name: string; readonly at: string | null }) => (
  <Fact name={name}>{at === null ? <span class="muted">not yet</span> : <Instant at={at} />}</Fact>
);

const LabelLink = ({ shown: { labelUrl, labelUntil } }: { readonly shown: ShownFulfillment }) => (
  <p>
    <a href={labelUrl} target="_blank" rel="noopener noreferrer">
      Label URL as a client gets it
    </a>{' '}
    <span class="muted">
      (PDF; this one is good until <Instant at={labelUntil} />, and every read makes a fresh one)
    </span>
  </p>
);
