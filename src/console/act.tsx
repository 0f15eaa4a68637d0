// Bends a sandbox: has an operation of the control API done, as a form says, and tells that it was.

import { adminPath } from '../contract/admin/control-operation.ts';
import { ControlRefusal } from '../contract/admin/refusals.ts';
import { type ControlId, controlOperations } from '../contract/admin.ts';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import { boundedBytes } from '../http/body.ts';
import type { ServiceResponse } from '../http/exchange.ts';
import { bodyOf, doneField } from './form-body.ts';
import { fragment } from './fragment.ts';
import type { Visit } from './visit.ts';

/** Whether there is such an operation, and it does something to one sandbox: what its key is good for. */
function isAct(id: string): id is ControlId {
  if (!Object.hasOwn(controlOperations, id)) return false;
  const { method, path } = controlOperations[id as ControlId];
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

/** @throws ControlRefusal for what is no form, or none of its own size */
async function formOf({ c, request }: Visit): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new ControlRefusal(415, 'The console takes forms: application/x-www-form-urlencoded');
  const bytes = await boundedBytes(c, limits.bodyBytes).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    return null;
  });
  if (bytes === null) throw new ControlRefusal(400, 'The form did not come whole');
  if (bytes) return new URLSearchParams(new TextDecoder().decode(bytes));
  throw new ControlRefusal(413, `A form has at most ${limits.bodyBytes} bytes`);
}
