// Errors that end the process, with their exit codes.

export const exitCodes = {
  /** EX_CANTCREAT: another process holds the state folder. */
  cannotCreate: 73,
  /** EX_CONFIG: the state folder or the database cannot be used. */
  configuration: 78,
} as const;

export class ExitError extends Error {
  /** Not `exitCode`: commander's own errors have that. */
  readonly exitStatus: (typeof exitCodes)[keyof typeof exitCodes];

  constructor(message: string, exitStatus: ExitError['exitStatus'], options?: ErrorOptions) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}

/** A mistake in the command's options, described in one sentence: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
