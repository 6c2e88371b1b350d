import { INTERNAL_ERROR } from '../messages/error-codes.js';
import type { JsonRpcMessage } from '../messages/messages.js';
import { WireError } from '../messages/wire-error.js';

const brand: unique symbol = Symbol.for('rxmcp.EncodedMessage');

/** Holds a message that is encoded once and sent many times. */
export class EncodedMessage {
  /** Returns whether a value is an EncodedMessage, also one of another installed copy of the package. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return (value as Partial<EncodedMessage> | null | undefined)?.[brand] === true;
  }

  /** The message as JSON, on one line. */
  readonly text: string;
  /** @internal */
  readonly [brand] = true;
  #parsed: JsonRpcMessage | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The message, parsed on first use. Later reads return the same object: clone it before you pass it on. */
  get message(): JsonRpcMessage {
    return (this.#parsed ??= JSON.parse(this.text) as JsonRpcMessage);
  }
}

/**
 * Returns the text of a message: one line of JSON without a line end.
 * @throws {@link WireError} with code INVALID_MESSAGE for a message that JSON cannot express, such as one with a
 * cycle or a BigInt
 */
export function encode(out: JsonRpcMessage | EncodedMessage): string {
  if (out instanceof EncodedMessage) return out.text;
  try {
    return JSON.stringify(out);
  } catch (cause) {
    throw new WireError('INVALID_MESSAGE', 'the message cannot be written as JSON', {
      rpcCode: INTERNAL_ERROR,
      cause,
    });
  }
}
