// A process whose memory is full would end, for everybody: what adds to it is refused while it is. What reads takes none, and what removes gives
// some back.
import type { ControlOperation } from '../contract/admin/control-operation.ts';
import { ControlRefusal } from '../contract/admin/refusals.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Edge } from './edge.ts';

type Asked = Pick<Edge, 'hasRoom'>;

/** For a call of the service that takes a body, before that is read. @throws Refusal max_memory */
export function requireRoom({ hasRoom }: Asked): void {
  if (!hasRoom()) throw new Refusal('max_memory');
}

const isFree = ({ method, givesRoom = false }: ControlOperation): boolean =>
  givesRoom || method === 'GET' || method === 'DELETE';

/** Likewise of the control API. @throws ControlRefusal 500 */
export function requireRoomFor(operation: ControlOperation, { hasRoom }: Asked): void {
  if (isFree(operation) || hasRoom()) return;
  throw new ControlRefusal(500, 'The memory of the server is full; reset or delete sandboxes, or remove snapshots');
}
