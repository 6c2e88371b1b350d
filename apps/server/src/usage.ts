/** The command line, or the environment, makes no sense. */
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

/** How the program is called. */
export const usage =
  'usage: main.js [--stdio] [--http PORT] [--sse PORT] [--ws PORT] [--tls-cert FILE --tls-key FILE] [--root DIR] ' +
  '[--protocol auto|modern|legacy|DATE]';
