// A process whose memory is full would end, for everybody: what adds to it is refused while it is. What reads takes little, and what removes
// gives some back.
import type { ControlOperation } from '../contract/admin/control-operation.ts';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Edge } from './edge.ts';
import { answers } from './held.ts';
import type { Rendered } from './rendered.ts';

type Asked = Pick<Edge, 'hasRoom'>;

/** For a call that takes a body, before that is read. @throws Refusal max_memory */
export function requireRoom({ hasRoom }: Asked): void {
  if (!hasRoom()) throw new Refusal('max_memory');
}

/** For what a call of the control API has done. @throws Refusal max_memory */
export function requireRoomFor({ method, givesRoom = false }: ControlOperation, edge: Asked): void {
  if (!givesRoom && method !== 'GET' && method !== 'DELETE') requireRoom(edge);
}

/** Whether there is room for an answer, also until its reader has taken it. One alone may be larger than all together. */
function isCarried({ hasRoom }: Asked, size: number): boolean {
  if (size <= limits.smallBytes) return true;
  return (answers.isNothing || answers.hasRoom(size)) && (size < limits.largeAnswerCharacters || hasRoom());
}

/** An answer that may go. What was done is told; what was only looked at can be looked at again. @throws Refusal max_memory */
export function carried(edge: Asked, { method }: Pick<Request, 'method'>, answer: Rendered): Rendered {
  if (method === 'GET' && !isCarried(edge, answer.body?.length ?? 0)) throw new Refusal('max_memory');
  return answer;
}
