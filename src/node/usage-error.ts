/** What the caller of the command can mend: told in one sentence, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
