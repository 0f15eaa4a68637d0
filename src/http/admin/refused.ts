// What was thrown in a call of the control API, as the refusal that answers it; what is none is a bug or a failing store.
import { ControlRefusal } from '../../contract/admin/refusals.ts';
import { explanations } from '../../contract/explanations.ts';
import { Refusal } from '../../contract/refusal.ts';
import { requestId } from '../../control/ids.ts';
import { LifeOverError } from '../../control/keeping-up.ts';
import { SandboxGone } from '../../state/store-failure.ts';
import type { Edge } from '../edge.ts';

export function asRefusal(edge: Edge, error: unknown): ControlRefusal {
  if (error instanceof ControlRefusal) return error;
  if (error instanceof LifeOverError)
    return new ControlRefusal(409, 'The sandbox began anew while this waited; nothing was done, send it again');
  if (error instanceof SandboxGone) return new ControlRefusal(404, 'The sandbox was deleted');
  if (error instanceof Refusal) return asControl(error);
  edge.onFailure(error, requestId());
  return new ControlRefusal(500, 'An internal server error occurred');
}

const asControl = ({ judgedAs }: Refusal): ControlRefusal =>
  judgedAs === 'max_memory'
    ? new ControlRefusal(500, 'The memory of the server is full; reset or delete sandboxes, or remove snapshots')
    : new ControlRefusal(422, `What is required: ${explanations[judgedAs]}`);
