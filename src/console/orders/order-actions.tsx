// What the operator can do to an order as it stands, as buttons, and how it is shipped.
import type { OrderAction } from '../../contract/order-progress.ts';
import type { ShownOrder } from '../../control/shown-order.ts';
import { Action } from '../parts/action.tsx';
import { ShipForm } from './ship.tsx';

const words: Readonly<Record<OrderAction, readonly [label: string, done: string]>> = {
  accept: ['Accept', 'Order accepted'],
  hold: ['Hold', 'Order on hold'],
  release: ['Release', 'Order released'],
  approve_packaging: ['Approve packaging', 'Packaging approved'],
  start_production: ['Start production', 'Order in production'],
  cancel: ['Cancel', 'Order canceled'],
};

interface Props {
  readonly sandbox: string;
  readonly shown: ShownOrder;
}

export function OrderActions({ sandbox, shown }: Props) {
  const { possible, order } = shown;
  const isOver = possible.actions.length === 0 && possible.shippable.length === 0;
  return (
    <section aria-label="What the operator can do">
      {isOver && <p class="muted">The operator can do nothing more: the order is {order.status}.</p>}
      <div class="actions">
        {possible.actions.map((action) => (
          <OrderButton sandbox={sandbox} id={order.id} action={action} />
        ))}
      </div>
      <ShipForm sandbox={sandbox} shown={shown} />
    </section>
  );
}

interface ButtonProps {
  readonly sandbox: string;
  readonly id: string;
  readonly action: OrderAction;
}

function OrderButton({ sandbox, id, action }: ButtonProps) {
  const [label, done] = words[action];
  return (
    <Action
      sandbox={sandbox}
      of={`orders.${action}`}
      names={{ id }}
      label={label}
      about="the order"
      done={done}
      {...(action === 'cancel' ? { confirm: 'Cancel this order?' } : {})}
      quiet={action === 'cancel' || action === 'hold'}
    />
  );
}
