// Changes a sandbox: runs the operation of the control API that a form submits.
import { adminPath, ControlRefusal } from '../contract/admin/control-operation.ts';
import { controlOperations } from '../contract/admin.ts';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import type { HandledId } from '../http/admin/call.ts';
import { boundedBytes } from '../http/body.ts';
import type { ServiceResponse } from '../http/exchange.ts';
import { bodyOf, doneField } from './form-body.ts';
import { fragment } from './fragment.ts';
import type { Visit } from './visit.ts';

/** Whether this is an operation that changes one sandbox: the only ones that the sandbox's own key allows. */
function isAct(id: string): id is HandledId {
  if (!Object.hasOwn(controlOperations, id)) return false;
  const { method, path } = controlOperations[id as HandledId];
  return method !== 'GET' && path.startsWith(`${adminPath}/sandboxes/{sandbox}`);
}

export async function act(visit: Visit): Promise<ServiceResponse> {
  const { operation = '' } = visit.params;
  if (!isAct(operation)) throw new ControlRefusal(404, `The console does nothing called ${operation.slice(0, 80)}`);
  const form = await formOf(visit);
  await visit.control(operation, { params: Object.fromEntries(visit.query), body: bodyOf(form) });
  const words = form.get(doneField) ?? 'Done';
  return fragment(<p class="done">{words}.</p>, { headers: { 'hx-trigger': 'changed' } });
}

/** @throws ControlRefusal 400, 413 or 415 */
async function formOf({ context, request }: Visit): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new ControlRefusal(415, 'The console takes forms: application/x-www-form-urlencoded');
  const bytes = await boundedBytes(context, limits.bodyBytes).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    return null;
  });
  if (bytes === null) throw new ControlRefusal(400, 'The form did not come whole');
  if (bytes) return new URLSearchParams(new TextDecoder().decode(bytes));
  throw new ControlRefusal(413, `A form has at most ${limits.bodyBytes} bytes`);
}
