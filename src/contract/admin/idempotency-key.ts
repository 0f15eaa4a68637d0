// The header by which a call of the control API that comes again is known (draft-ietf-httpapi-idempotency-key-header).
import type { ControlOperation } from './control-operation.ts';

export const idempotencyKey = {
  header: 'Idempotency-Key',
  form: /^[!-~]{1,255}$/,
  words: 'The header Idempotency-Key takes 1 to 255 visible ASCII characters, such as a UUID',
} as const;

/** Whether an operation takes the header: it changes something, so to do it twice is not to do it once. */
export const takesKey = ({ method, onlyLooks = false }: ControlOperation): boolean => method !== 'GET' && !onlyLooks;
