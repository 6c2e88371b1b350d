import type { Frame } from '../wire/recording.js';

/** Codes of {@link ReplayError}; stable. */
export type ReplayErrorCode =
  | 'FRAME_DIFFERS' // another one came in its place
  | 'FRAME_UNEXPECTED' // one came that was not recorded
  | 'FRAME_MISSING' // the other side left, or the time was over, before it came
  | 'FRAME_MISTIMED'; // it came at another time

/** Where and how a live party left a recording for the first time. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  readonly code: ReplayErrorCode;
  /** The recorded frame; undefined for one that was not recorded. */
  readonly expected: Frame | undefined;
  /** Its place in `recording.frames`; -1 for one that was not recorded. */
  readonly index: number;
  /** Which member differs, such as `params.name`; empty for the whole frame. */
  readonly path: string;
  /** What came; undefined where nothing did. */
  readonly actual: unknown;

  constructor(code: ReplayErrorCode, message: string, about: Omit<ReplayError, keyof Error | 'code'>) {
    super(message);
    this.code = code;
    this.expected = about.expected;
    this.index = about.index;
    this.path = about.path;
    this.actual = about.actual;
  }
}
