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

const most = 120;

/** Two values side by side, in a few words; texts from where they begin to differ. `verb`: what was done with the first. */
export function describeDifference(
  wanted: unknown,
  got: unknown,
  verb: 'recorded' | 'drawn' = 'recorded',
): string {
  const from = Math.max(0, firstDifference(text(wanted), text(got)) - most / 4);
  return `${brief(wanted, from)} was ${verb}, ${brief(got, from)} came`;
}

/** What a frame is, in a few words. */
export function named(frame: Frame): string {
  return frame.type === 'message' ? `${frame.from} ${brief(frame.message)}` : `${frame.type} frame`;
}

/** The message of a frame; for a frame of another type, the frame. */
export function frameMessage(frame: Frame): unknown {
  return frame.type === 'message' ? frame.message : frame;
}

/** A value on one bounded line, from there on. */
export function brief(value: unknown, from = 0): string {
  const all = text(value);
  // What comes before is no use where it would hide the end of a short text.
  const begin = all.length > most ? from : 0;
  const part = all.slice(begin, begin + most);
  return `${begin > 0 ? '…' : ''}${part}${begin + most < all.length ? '…' : ''}`;
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
