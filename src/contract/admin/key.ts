// The admin key: whatever can stand in a header.

/** @throws TypeError for what cannot; the key is not told, it is a secret. */
export function requireKey(adminKey: unknown): void {
  if (typeof adminKey === 'string' && /^[!-~]+$/.test(adminKey)) return;
  throw new TypeError(
    'an adminKey is needed, of visible ASCII characters: the one that the start of the server printed, or was given',
  );
}

/** The name of the control API's security scheme. */
export const keyScheme = 'adminKey';
