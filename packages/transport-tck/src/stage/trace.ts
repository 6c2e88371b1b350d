import { Encoded, type Message } from '@rxmcp/jsonrpc';
import type { Outgoing, TransportError } from '@rxmcp/transport';
import { brief } from './verdict.js';

const kept = 12;

/** Which end a frame was seen on. */
export type Side = 'dialled' | 'served';

/** The last things that happened on the connections of one law. */
export class Trace {
  readonly #lines: (() => string)[] = [];

  sent(side: Side, out: Outgoing): void {
    this.#add(side, () => `-> ${brief(out instanceof Encoded ? out.text : text(out))}`);
  }

  received(side: Side, incoming: unknown): void {
    this.#add(side, () => `<- ${brief(text(incoming))}`);
  }

  /** Something that is no message: a fault, a lane that ended, the end. */
  event(side: Side, name: string, error?: TransportError): void {
    this.#add(
      side,
      () => `<- ${name}(${error === undefined ? '' : `${error.code}: ${brief(error.message)}`})`,
    );
  }

  /** The last frames, oldest first. */
  text(): string {
    if (this.#lines.length === 0) return '  no frame was seen';
    return ['  last frames:', ...this.#lines.map((line) => `    ${line()}`)].join('\n');
  }

  #add(side: Side, line: () => string): void {
    this.#lines.push(side === 'served' ? () => `(served) ${line()}` : line);
    if (this.#lines.length > kept) this.#lines.shift();
  }
}

function text(value: unknown): string {
  try {
    return JSON.stringify(value as Message);
  } catch (error) {
    return `(unprintable: ${String(error)})`;
  }
}
