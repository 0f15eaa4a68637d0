// An error that ends the process with an exit code of its own, by the names of sysexits.h.

export const exitCodes = {
  /** EX_CANTCREAT: another process holds the state folder. */
  cannotCreate: 73,
  /** EX_CONFIG: the state folder is no place for state, or holds what cannot be read. */
  configuration: 78,
} as const;

export class ExitError extends Error {
  readonly endsWith: (typeof exitCodes)[keyof typeof exitCodes];

  constructor(message: string, endsWith: ExitError['endsWith'], options?: ErrorOptions) {
    super(message, options);
    this.endsWith = endsWith;
  }
}
