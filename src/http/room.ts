// A process whose memory is full would end, for everybody: what adds to it is refused while it is. What reads takes little, and what removes
// gives some back.
import type { ControlOperation } from '../contract/admin/control-operation.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Edge } from './edge.ts';

type Asked = Pick<Edge, 'hasRoom'>;

/** For a call that takes a body, before that is read. @throws Refusal max_memory */
export function requireRoom({ hasRoom }: Asked): void {
  if (!hasRoom()) throw new Refusal('max_memory');
}

/** For what a call of the control API has done. @throws Refusal max_memory */
export function requireRoomFor({ method, givesRoom = false }: ControlOperation, edge: Asked): void {
  if (!givesRoom && method !== 'GET' && method !== 'DELETE') requireRoom(edge);
}
