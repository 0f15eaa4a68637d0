// Deep freezing: on in tests and in library mode, where a write to a shared record must fail loudly; off where speed counts.

/** Freezes a value and all it holds. What is frozen already is taken as frozen through and through. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}

export const noFreeze = <T>(value: T): T => value;
