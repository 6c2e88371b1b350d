import { INTERNAL_ERROR } from './error-codes.js';
import type { JsonRpcMessage } from './messages.js';
import { WireError } from './wire-error.js';

/** A message whose text was prepared once, to be sent many times. */
export class EncodedMessage {
  /** The message as JSON, on one line. */
  readonly text: string;
  private parsed: JsonRpcMessage | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The message, parsed on first use and the same object ever after: who hands it on clones it. */
  get message(): JsonRpcMessage {
    return (this.parsed ??= JSON.parse(this.text) as JsonRpcMessage);
  }
}

/**
 * Gives the text of a message: one line of JSON without its line end.
 * Throws a {@link WireError} with code INVALID_MESSAGE for what JSON cannot express, such as a cycle or a BigInt.
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
