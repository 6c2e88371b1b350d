import { now, pause, turns } from '../base/clock.js';
import type { Disturbance, RelayEnd, Towards } from './disturbance.js';

/** What all flows of a relay share. */
export interface RelayState {
  disturbance: Disturbance | undefined;
  readonly wire: 'bytes' | 'frames';
  /** Called when the disturbance changes. */
  readonly changed: Set<() => void>;
}

/** A burst is over when nothing has arrived for so long, in milliseconds. */
const burstMs = 15;

interface Arrival {
  readonly chunk: Uint8Array;
  readonly at: number;
}

/** One direction of one connection that passes through a relay. */
export class RelayFlow {
  readonly #towards: Towards;
  readonly #end: RelayEnd;
  readonly #state: RelayState;
  readonly #cutBoth: () => void;
  readonly #waiting: Arrival[] = [];
  #running = false;
  #ending = false;
  #over = false;

  constructor(towards: Towards, end: RelayEnd, state: RelayState, cutBoth: () => void) {
    this.#towards = towards;
    this.#end = end;
    this.#state = state;
    this.#cutBoth = cutBoth;
  }

  /** Whether the sending side has ended, or the connection broke. */
  get hasEnded(): boolean {
    return this.#ending || this.#over;
  }

  /** Passes what has arrived. Returns a promise where the receiving side accepts no more for now. */
  pass(chunk: Uint8Array): Promise<void> | void {
    if (this.#over) return;
    if (!this.#running && this.#state.disturbance === undefined) return this.#end.write(chunk);
    this.#waiting.push({ chunk, at: now() });
    void this.#run();
  }

  /** The sending side has ended in order. What has arrived before still passes. */
  end(): void {
    this.#ending = true;
    void this.#run();
  }

  /** The connection broke. */
  cut(): void {
    this.#over = true;
    this.#cutBoth();
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    while (!this.#over && (this.#waiting.length > 0 || this.#holdsEnd())) await this.#next();
    this.#running = false;
    if (!this.#ending || this.#over) return;
    this.#over = true;
    this.#end.end();
  }

  #holdsEnd(): boolean {
    return this.#ending && this.#state.disturbance?.kind === 'hold';
  }

  async #next(): Promise<void> {
    const { disturbance } = this.#state;
    switch (disturbance?.kind) {
      case 'pieces':
        return this.#pieces(disturbance.bytes);
      case 'delay': {
        const { chunk, at } = this.#take();
        await pause(Math.max(0, at + disturbance.ms - now()));
        return this.#end.write(chunk);
      }
      case 'twice': {
        const burst = await this.#burst();
        await this.#end.write(burst);
        return this.#end.write(burst);
      }
      case 'truncate':
        if (disturbance.towards === this.#towards) return this.#truncate(disturbance.how);
        break;
      case 'hold':
        return this.#untilChanged();
      case undefined:
    }
    return this.#end.write(this.#take().chunk);
  }

  async #pieces(length: number): Promise<void> {
    let bytes = this.#all();
    while (bytes.length < length) {
      await pause(1);
      if (this.#waiting.length === 0) break;
      bytes = joined([bytes, this.#all()]);
    }
    const whole = Math.max(length, bytes.length - (bytes.length % length));
    for (let at = 0; at < whole; at += length) {
      await this.#end.write(bytes.subarray(at, at + length));
      await turns();
    }
    if (whole < bytes.length) this.#waiting.unshift({ chunk: bytes.subarray(whole), at: now() });
  }

  async #truncate(how: 'end' | 'cut'): Promise<void> {
    const burst = await this.#burst();
    this.#over = true;
    await this.#end.write(burst.subarray(0, burst.length / 2));
    if (how === 'end') return this.#end.end();
    // The first half is to be read before the connection breaks.
    await pause(burstMs);
    this.#cutBoth();
  }

  /** The next frame, or all bytes until nothing arrives for a while. */
  async #burst(): Promise<Uint8Array> {
    if (this.#state.wire === 'frames') return this.#take().chunk;
    let bytes = this.#all();
    for (;;) {
      await pause(burstMs);
      if (this.#waiting.length === 0) return bytes;
      bytes = joined([bytes, this.#all()]);
    }
  }

  #take(): Arrival {
    return this.#waiting.shift() ?? { chunk: new Uint8Array(), at: now() };
  }

  #all(): Uint8Array {
    return joined(this.#waiting.splice(0).map(({ chunk }) => chunk));
  }

  #untilChanged(): Promise<void> {
    const { changed } = this.#state;
    return new Promise((resolve) => {
      const go = (): void => {
        changed.delete(go);
        resolve();
      };
      changed.add(go);
    });
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
