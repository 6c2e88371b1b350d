import { exits } from '../failure.js';

/** One step of the checklist. */
export interface Check {
  readonly name: string;
  /** Resolves with what was found. Rejects with what is wrong. */
  run(): Promise<string>;
}

/** What a check found wrong, where the failure itself does not say it. */
export class CheckError extends Error {
  override readonly name = 'CheckError';

  constructor(
    message: string,
    readonly fix: string,
    /** The exit code. */
    readonly code: number = exits.connection,
  ) {
    super(message);
  }
}
