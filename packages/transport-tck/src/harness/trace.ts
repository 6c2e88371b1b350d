import { EncodedMessage } from '@rxmcp/jsonrpc';
import type { JsonRpcMessage } from '@rxmcp/jsonrpc';
import type { OutgoingMessage } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { brief } from './assert.js';

const kept = 12;

/** On which side a frame was seen. */
export type Side = 'dialled' | 'served';

/** The last frames and events on the connections of one rule. */
export class Trace {
  readonly #lines: (() => string)[] = [];
  readonly #refused: Record<Side, { times: number; last?: unknown }> = {
    dialled: { times: 0 },
    served: { times: 0 },
  };

  sent(side: Side, out: OutgoingMessage): void {
    this.#add(side, () => `-> ${brief(out instanceof EncodedMessage ? out.text : text(out))}`);
  }

  received(side: Side, incoming: unknown): void {
    this.#add(side, () => `<- ${brief(text(incoming))}`);
  }

  /** A send that rejected. Rejections are counted in a separate line: many at once would displace the last frames. */
  refused(side: Side, error: unknown): void {
    const { times } = this.#refused[side];
    this.#refused[side] = { times: times + 1, last: error };
  }

  /** An event that is not a message: a fault, the end of a lane, the end of the connection. */
  event(side: Side, name: string, error?: TransportError): void {
    this.#add(
      side,
      () => `<- ${name}(${error === undefined ? '' : `${error.code}: ${brief(error.message)}`})`,
    );
  }

  /** The last frames, oldest first, and the sends that rejected. */
  text(): string {
    if (this.#lines.length === 0) return '  no frame was seen';
    const frames = this.#lines.map((line) => `    ${line()}`);
    return ['  last frames:', ...frames, ...this.#refusals('dialled'), ...this.#refusals('served')].join(
      '\n',
    );
  }

  #refusals(side: Side): string[] {
    const { times, last } = this.#refused[side];
    if (times === 0) return [];
    const why = TransportError.is(last) ? `${last.code}: ${last.message}` : String(last);
    const where = side === 'served' ? '(served) ' : '';
    return [`  ${where}refused sends: ${String(times)}, the last with ${brief(why)}`];
  }

  #add(side: Side, line: () => string): void {
    this.#lines.push(side === 'served' ? () => `(served) ${line()}` : line);
    if (this.#lines.length > kept) this.#lines.shift();
  }
}

function text(value: unknown): string {
  try {
    return JSON.stringify(value as JsonRpcMessage);
  } catch (error) {
    return `(unprintable: ${String(error)})`;
  }
}
