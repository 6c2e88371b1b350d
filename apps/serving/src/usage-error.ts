/** The error for an invalid command line, or an invalid file, variable or URL that it names. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    /** Not a value but the form of the command line is wrong: showing how it is called helps. */
    readonly isForm = false,
  ) {
    super(message);
  }
}
