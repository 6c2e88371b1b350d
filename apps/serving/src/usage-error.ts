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

/** What follows the message of an error on the same line: where the form of the command line is described, if that is wrong. */
export function helpAfter(error: unknown): string {
  if (!(error instanceof UsageError) || !error.isForm) return '';
  return `${/[.?]$/.test(error.message) ? '' : '.'} --help shows how it is called`;
}
