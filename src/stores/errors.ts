// Errors that end the process, with the exit codes that they end it with.

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

/** What the caller of the command can mend: told in one sentence, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
