// By what a call of the control API is known when it comes again.
import type { ControlOperation } from '../../contract/admin/control-operation.ts';
import { idempotencyKey, takesKey } from '../../contract/admin/idempotency-key.ts';
import { ControlRefusal } from '../../contract/admin/refusals.ts';
import type { Once } from '../../control/answered.ts';
import { hex } from '../../domain/hashes.ts';
import type { Edge } from '../edge.ts';

/**
 * Undefined for a call without a key. A key stands for what is asked: the operation, what its path names, its query and its body.
 * @throws ControlRefusal 400 for what is no key
 */
export function onceOf(
  { hashes }: Pick<Edge, 'hashes'>,
  operation: ControlOperation,
  { headers }: Request,
  input: unknown,
): Once | undefined {
  const key = takesKey(operation) ? headers.get(idempotencyKey.header) : null;
  if (key === null) return undefined;
  if (!idempotencyKey.form.test(key)) throw new ControlRefusal(400, idempotencyKey.words);
  return { key, fingerprint: hex(hashes.sha256(JSON.stringify([operation.id, input]))) };
}
