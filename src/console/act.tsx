// Bends a sandbox: has an operation of the control API done, as a form says, and tells that it was.

import { bounds } from '../contract/admin/bounds.ts';
import { ControlRefusal } from '../contract/admin/refusals.ts';
import { type ControlId, controlOperations } from '../contract/admin.ts';
import { bodyOf } from './form-body.ts';
import { fragment } from './fragment.ts';
import type { Visit } from './visit.ts';

const isOperation = (id: string): id is ControlId => Object.hasOwn(controlOperations, id);

/** In a form's own field `_done` stands what to say once it is done. */
export async function act(visit: Visit): Promise<Response> {
  const { operation = '' } = visit.params;
  if (!isOperation(operation))
    throw new ControlRefusal(404, `The control API has no operation ${operation.slice(0, 80)}`);
  const form = await formOf(visit.request);
  await visit.control(operation, { params: Object.fromEntries(visit.query), body: bodyOf(form) });
  const words = form.get('_done') ?? 'Done';
  return fragment(<p class="done">{words}.</p>, { headers: { 'hx-trigger': 'changed' } });
}

async function formOf(request: Request): Promise<URLSearchParams> {
  const text = await request.text();
  if (text.length <= bounds.bodyBytes) return new URLSearchParams(text);
  throw new ControlRefusal(413, `A form has at most ${bounds.bodyBytes} characters`);
}
