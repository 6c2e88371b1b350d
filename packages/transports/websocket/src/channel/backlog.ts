import { TransportError } from '@rxmcp/transport';
import { setUnrefTimeout, type UnreadOutput } from '@rxmcp/transport/internal';

/** Options of a {@link Backlog}. */
export interface BacklogOptions {
  /** The bytes that the socket has been given and has not passed on. */
  buffered(): number;
  /** Hands on at once what is held back for one write. */
  flush?(): void;
  /** A number that changes when a part of a large write has been taken. @default only whole writes are seen */
  probe?(): number;
  /** Called with true when more waits than the limit, and with false when reading may resume. */
  pressure?(over: boolean): void;
  /** Whether a waiting message counts for the pressure. @default sends that have to wait are pressure enough */
  counts?(text: string): boolean;
  /** Charges for what waits; the connection ends with `OVERFLOW` where it is rejected. @default nothing is charged */
  readonly unread?: UnreadOutput | undefined;
  /** The other side took nothing for `writeTimeoutMs`, or this side ignores that its sends wait. */
  failed(error: TransportError): void;
  readonly writeTimeoutMs: number;
}

const maxMessages = 1_024;
export const highWaterBytes = 1024 * 1024;
const lowWaterBytes = highWaterBytes / 4;
/** Of messages that count for the pressure. */
const maxCountedChars = 4 * 1024 * 1024;
/** A feeder that does not wait ends here. */
const hardMaxBytes = 64 * 1024 * 1024;

/** How often a stall is looked for while it has its time. */
const looks = 6;

/** What waits in a socket: says when sends have to wait, and when the other side has stalled. */
export class Backlog {
  /** Sent since nothing waited. */
  #messages = 0;
  #full: Promise<void> | undefined;
  #release: (() => void) | undefined;
  #counted = 0;
  #countedChars = 0;
  #over = false;
  #stopped = false;
  #alarm: ReturnType<typeof setTimeout> | undefined;
  #isWaiting = false;
  #movedAt = 0;
  #probed = 0;

  constructor(private readonly options: BacklogOptions) {}

  /** True while sends have to wait. */
  get isFull(): boolean {
    return this.#full !== undefined;
  }

  /** True while reading from the peer must pause. */
  get isOverLimit(): boolean {
    return this.#over;
  }

  /** A message was given to the socket. Returns what its sender waits for, or nothing. */
  sent(text: string): Promise<void> | undefined {
    this.#messages += 1;
    if (this.#full !== undefined) return this.#waits(text, this.#full);
    const { options } = this;
    if (this.#messages <= maxMessages && options.buffered() <= highWaterBytes) return undefined;
    options.flush?.();
    const waiting = options.buffered();
    if (waiting === 0) this.#messages = 0;
    if (waiting === 0 || (this.#messages <= maxMessages && waiting <= highWaterBytes)) return undefined;
    this.#full = new Promise<void>((resolve) => {
      this.#release = resolve;
    });
    this.#isWaiting = false;
    this.watch();
    if (options.counts === undefined) this.#setOverLimit(true);
    return this.#waits(text, this.#full);
  }

  /** Something waits: from now on the other side has `writeTimeoutMs` to take a part of it. */
  watch(): void {
    this.#charge(this.options.buffered());
    if (this.#isWaiting || this.#stopped) return;
    this.#isWaiting = true;
    this.#movedAt = performance.now();
    this.#probed = this.options.probe?.() ?? 0;
    if (this.#alarm === undefined) this.#ringAfter(this.options.writeTimeoutMs / looks);
  }

  /** The socket has passed something on. */
  moved(): void {
    this.#movedAt = performance.now();
    const waiting = this.options.buffered();
    this.#charge(waiting);
    if (waiting === 0) {
      this.#messages = 0;
      this.#isWaiting = false;
    }
    if (this.#full === undefined || waiting > lowWaterBytes || this.#messages > maxMessages) return;
    this.#full = undefined;
    this.#counted = 0;
    this.#countedChars = 0;
    this.#setOverLimit(false);
    this.#release?.();
  }

  /** Watches no more. Promises stay open: the connection, which ends too, settles the sends with its cause. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#alarm);
  }

  #waits(text: string, full: Promise<void>): Promise<void> {
    const { counts, failed, buffered } = this.options;
    const waiting = buffered();
    this.#charge(waiting);
    if (waiting > hardMaxBytes) {
      failed(new TransportError('OVERFLOW', 'the other side reads slower than messages are sent'));
    } else if (counts?.(text) === true) {
      this.#counted += 1;
      this.#countedChars += text.length;
      if (this.#counted > maxMessages || this.#countedChars > maxCountedChars) this.#setOverLimit(true);
    }
    return full;
  }

  #charge(waiting: number): void {
    const { unread, failed } = this.options;
    if (unread === undefined || this.#stopped || unread.hold(waiting)) return;
    // The charge stays until the socket has closed, which is when the memory is free.
    failed(unread.error());
  }

  #setOverLimit(over: boolean): void {
    if (this.#over === over) return;
    this.#over = over;
    this.options.pressure?.(over);
  }

  /** The timer is left alone when all has been taken, and looks again when it fires: most writes take no time at all. */
  #ringAfter(ms: number): void {
    this.#alarm = setUnrefTimeout(() => this.#ring(), ms);
  }

  #ring(): void {
    this.#alarm = undefined;
    const { buffered, probe, writeTimeoutMs, failed } = this.options;
    // Also where the socket reported no write: the last write may have been a ping.
    if (buffered() === 0) return this.moved();
    const now = performance.now();
    const probed = probe?.() ?? 0;
    if (probed !== this.#probed) this.#movedAt = now;
    this.#probed = probed;
    const leftMs = this.#movedAt + writeTimeoutMs - now;
    if (leftMs > 0) return this.#ringAfter(Math.min(leftMs, writeTimeoutMs / looks));
    failed(new TransportError('STALLED', `the other side read nothing for ${writeTimeoutMs / 1_000} s`));
  }
}
