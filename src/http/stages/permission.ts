// 403 for a user who lacks the permission of the endpoint (AUTH-5).
import { Refusal } from '../../contract/refusal.ts';
import type { Call } from '../call.ts';

export function permission({ arrival: { operation }, caller, terms }: Call): void {
  if (!operation?.permission || terms?.get('permissions') === 'all') return;
  if (!caller?.user.permissions.includes(operation.permission)) throw new Refusal('AUTH-5');
}
