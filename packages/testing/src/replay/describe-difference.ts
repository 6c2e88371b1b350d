import type { Frame } from '../wire/recording.js';

/** Codes of {@link ReplayError}; stable. */
export type ReplayErrorCode =
  | 'FRAME_DIFFERS' // Another frame arrived in the place of a recorded one.
  | 'FRAME_UNEXPECTED' // A frame arrived that was not recorded.
  | 'FRAME_MISSING' // The other side closed, or the time ended, before a recorded frame arrived.
  | 'FRAME_MISTIMED'; // A frame arrived at another time than recorded.

/** The first difference between a live party and a recording. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  readonly code: ReplayErrorCode;
  /** The index of the frame in `recording.frames`; -1 for a frame that was not recorded. */
  readonly index: number;
  /** The member of the message that differs, such as `params.name`; `at` is its time, and `''` the whole message. */
  readonly path: string;
  /** The recorded value; undefined if absent. */
  readonly expected: unknown;
  /** The value that arrived; undefined if absent. */
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

/** Describes two different values; texts from the place where they differ. `verb`: what was done with the first. */
export function describeDifference(
  wanted: unknown,
  got: unknown,
  verb: 'recorded' | 'drawn' = 'recorded',
): string {
  const from = Math.max(0, firstDifference(text(wanted), text(got)) - most / 4);
  return `${brief(wanted, from)} was ${verb}, ${brief(got, from)} came`;
}

/** A short description of a frame. */
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
