import { isTimeVirtual } from '../time/virtual-time.js';
import type { Frame, Recording } from './recording.js';
import { redactor } from './redact.js';

/** Options of {@link record}. */
export interface RecordOptions {
  /** Frames that are kept; later ones are counted as lost. @default 10_000 */
  readonly maxFrames?: number;
  /** Characters of messages that are kept. @default 8_388_608 */
  readonly maxChars?: number;
  /**
   * Names of further members whose values are secret. Never kept is what names with words such as `password`, `secret`, `cookie`,
   * `credentials`, `token`, `api key` and `session id` hold, however they are spelt, nor a text that is JSON or an address with
   * something like that in it. What else a text says is kept. @default none
   */
  readonly redact?: readonly (string | RegExp)[];
}

/** Each kind of frame without what the tape adds. */
export type Taken = Frame extends infer One ? (One extends Frame ? Omit<One, 'at'> : never) : never;

/** Keeps frames with their times, up to its limits. What is lost is the end, so that the beginning can still be replayed. */
export class Tape {
  private readonly frames: Frame[] = [];
  private readonly clean: <T>(message: T) => T;
  private readonly maxFrames: number;
  private room: number;
  private lost = 0;
  private beganAt: number | undefined;
  private connections = 0;
  private time: Recording['time'] = 'real';

  constructor({ maxFrames = 10_000, maxChars = 8 * 1024 * 1024, redact = [] }: RecordOptions) {
    this.maxFrames = maxFrames;
    this.room = maxChars;
    this.clean = redactor(redact);
  }

  /** The number of a new connection. */
  next(): number {
    return (this.connections += 1);
  }

  take(taken: Taken): void {
    // A copy, since who is given a message may change it.
    const text = taken.type === 'message' ? JSON.stringify(taken.message) : '';
    // Once one is lost all are: a recording with a hole cannot be replayed.
    if (this.lost > 0 || this.frames.length >= this.maxFrames || text.length > this.room) {
      this.lost += 1;
      return;
    }
    this.room -= text.length;
    if (this.beganAt === undefined) {
      this.beganAt = performance.now();
      this.time = isTimeVirtual() ? 'virtual' : 'real';
    }
    const at = Math.round((performance.now() - this.beganAt) * 1_000) / 1_000;
    const kept =
      taken.type === 'message' ? { ...taken, message: this.clean(JSON.parse(text) as unknown) } : taken;
    this.frames.push({ at, ...kept } as Frame);
  }

  recording(): Recording {
    return { frames: [...this.frames], lost: this.lost, time: this.time };
  }
}
