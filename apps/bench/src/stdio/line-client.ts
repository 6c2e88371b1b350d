import type { Readable, Writable } from 'node:stream';
import { type BenchEra, calling, checkReply, listing, opening, type Reply } from '../requests.js';

/** What one stretch of calls took. */
export interface Stretch {
  readonly wallMs: number;
  /** Of each call from its writing to its reply, in microseconds. */
  readonly latencies: Float64Array;
}

/**
 * A client without a library: keeps so many calls in flight and checks every reply. Each call is a write of its own, as
 * clients write them.
 */
export class LineClient {
  private readonly era: BenchEra;
  private readonly output: Writable;
  private nextId = 1;
  private rest = '';
  private take: (messages: Reply[]) => void = () => undefined;
  private fail: (error: unknown) => void = () => undefined;

  constructor(era: BenchEra, input: Readable, output: Writable) {
    this.era = era;
    this.output = output;
    output.on('error', (error) => this.fail(error));
    input.setEncoding('utf8').on('data', (chunk: string) => this.read(chunk));
  }

  /** Opens the connection; gives how many tools the server lists. */
  async open(): Promise<number> {
    await this.one(opening(this.era, this.nextId));
    const listed = await this.one(listing(this.era, this.nextId));
    return listed.result?.tools?.length ?? 0;
  }

  /** Makes one call whose line is written in whatever way `write` likes. */
  async single(extra: object, write: (line: string) => void): Promise<void> {
    checkReply(this.era, await this.one(calling(this.era, this.nextId, extra), write));
  }

  /** Makes calls, `inFlight` at a time. Rejects at the first wrong reply. */
  run(calls: number, inFlight: number): Promise<Stretch> {
    const first = this.nextId;
    const end = first + calls;
    const sentAt = new Float64Array(calls);
    const latencies = new Float64Array(calls);
    let open = calls;
    const send = (count: number, at: number): void => {
      for (let left = Math.min(count, end - this.nextId); left > 0; left -= 1) {
        sentAt[this.nextId - first] = at;
        this.output.write(calling(this.era, this.nextId++));
      }
    };
    return new Promise((resolve, reject) => {
      const start = performance.now();
      this.fail = reject;
      this.take = (messages) => {
        const at = performance.now();
        for (const message of messages) {
          checkReply(this.era, message);
          const index = message.id - first;
          if (!(latencies[index] === 0)) throw new Error(`an unexpected reply to ${message.id}`);
          latencies[index] = (at - (sentAt[index] ?? 0)) * 1_000;
        }
        open -= messages.length;
        if (open === 0) resolve({ wallMs: at - start, latencies });
        else send(messages.length, at);
      };
      send(inFlight, start);
    });
  }

  private one(line: string, write = (text: string): void => void this.output.write(text)): Promise<Reply> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.fail = reject;
      this.take = ([reply]) => {
        if (reply?.id === id && reply.result !== undefined) resolve(reply);
        else reject(new Error(`a wrong reply: ${JSON.stringify(reply)}`));
      };
      write(line);
    });
  }

  private read(chunk: string): void {
    const lines = (this.rest + chunk).split('\n');
    this.rest = lines.pop() ?? '';
    if (lines.length === 0) return;
    try {
      this.take(lines.map((line) => JSON.parse(line) as Reply));
    } catch (error) {
      this.fail(error);
    }
  }
}
