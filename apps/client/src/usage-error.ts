/** The error for an invalid command line, or an invalid file, variable or URL that it names. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
