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
  /** The place of the frame in `recording.frames`; -1 for one that was not recorded. */
  readonly index: number;
  /** Which member of its message differs, such as `params.name`; `at` is its time, and empty the whole message. */
  readonly path: string;
  /** What was recorded there; undefined where nothing was. */
  readonly expected: unknown;
  /** What came there; undefined where nothing did. */
  readonly actual: unknown;

  constructor(code: ReplayErrorCode, message: string, about: Omit<ReplayError, keyof Error | 'code'>) {
    super(message);
    this.code = code;
    this.index = about.index;
    this.path = about.path;
    this.expected = about.expected;
    this.actual = about.actual;
  }
}
