/** The exit codes of questions that fail, in addition to those of all commands. */
export const chatExits = { model: 4, limit: 5 } as const;

/** A question that failed, with the exit code of the command. */
export class ChatError extends Error {
  override readonly name = 'ChatError';

  constructor(
    message: string,
    readonly exitCode: number,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
  }
}
