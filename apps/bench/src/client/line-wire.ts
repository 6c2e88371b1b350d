import type { Readable, Writable } from 'node:stream';
import type { Reply } from '../requests.js';
import type { Wire } from './wire.js';

/** Lines on two streams. */
export class LineWire implements Wire {
  take: Wire['take'] = () => undefined;
  fail: Wire['fail'] = () => undefined;
  readonly #output: Writable;
  #rest = '';

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    output.on('error', (error) => this.fail(error));
    input.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
  }

  send(request: string): void {
    this.#output.write(`${request}\n`);
  }

  notify(notification: string): Promise<void> {
    this.#output.write(`${notification}\n`);
    return Promise.resolve();
  }

  close(): void {
    this.#output.end();
  }

  #read(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    if (lines.length === 0) return;
    try {
      this.take(lines.map((line) => JSON.parse(line) as Reply));
    } catch (error) {
      this.fail(error);
    }
  }
}
