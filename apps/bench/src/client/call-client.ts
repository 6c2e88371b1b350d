import {
  type BenchEra,
  calling,
  checkReply,
  initialized,
  listing,
  opening,
  type Reply,
} from '../requests.js';
import type { Wire } from './wire.js';

/** What one stretch of calls took. */
export interface Measurement {
  readonly wallMs: number;
  /** Of each call from its writing to its reply, in microseconds. */
  readonly latencies: Float64Array;
}

/** A client without a library: keeps so many calls in flight and checks every reply. */
export class CallClient {
  #nextId = 1;

  constructor(
    private readonly era: BenchEra,
    private readonly wire: Wire,
  ) {}

  /** Opens the connection; gives how many tools the server lists. */
  async open(): Promise<number> {
    const { era, wire } = this;
    await this.#one(...opening(era, this.#nextId));
    if (era === 'legacy') await wire.notify(...initialized);
    const listed = await this.#one(...listing(era, this.#nextId));
    return listed.result?.tools?.length ?? 0;
  }

  /** Makes one call whose message is written in whatever way `write` likes. */
  async single(extra: object, write: (message: string) => void): Promise<void> {
    checkReply(this.era, await this.#one(calling(this.era, this.#nextId, extra), 'tools/call', write));
  }

  /** Makes calls, `inFlight` at a time. Rejects at the first wrong reply. */
  run(calls: number, inFlight: number): Promise<Measurement> {
    const { era, wire } = this;
    const first = this.#nextId;
    const end = first + calls;
    const sentAt = new Float64Array(calls);
    const latencies = new Float64Array(calls);
    let open = calls;
    const send = (count: number, at: number): void => {
      for (let left = Math.min(count, end - this.#nextId); left > 0; left -= 1) {
        sentAt[this.#nextId - first] = at;
        wire.send(calling(era, this.#nextId++), 'tools/call');
      }
    };
    return new Promise((resolve, reject) => {
      const start = performance.now();
      wire.fail = reject;
      wire.take = (replies) => {
        const at = performance.now();
        for (const reply of replies) {
          checkReply(era, reply);
          const index = reply.id - first;
          if (!(latencies[index] === 0)) throw new Error(`an unexpected reply to ${reply.id}`);
          latencies[index] = (at - (sentAt[index] ?? 0)) * 1_000;
        }
        open -= replies.length;
        if (open === 0) resolve({ wallMs: at - start, latencies });
        else send(replies.length, at);
      };
      send(inFlight, start);
    });
  }

  #one(message: string, method: string, write?: (message: string) => void): Promise<Reply> {
    const { wire } = this;
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      wire.fail = reject;
      wire.take = ([reply]) => {
        if (reply?.id === id && reply.result !== undefined) resolve(reply);
        else reject(new Error(`a wrong reply: ${JSON.stringify(reply)}`));
      };
      if (write === undefined) wire.send(message, method);
      else write(message);
    });
  }
}
