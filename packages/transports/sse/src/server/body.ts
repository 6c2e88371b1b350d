import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type Budget, Pieces } from '@rxmcp/transport/guard';
import { bodyMs } from './request-rules.js';

/** What a posted body came to: its text, or what it is instead. */
export type Body =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'not-utf8' | 'too-large' | 'no-room' | 'late' };

/** Stands for a body that nobody has read yet. */
export const unread: unique symbol = Symbol('unread');

/**
 * Reads a body, or takes what a framework made of it: text, bytes or a parsed value. `done` is called once, and never where
 * the client left in the middle. Of a body that is too large, comes too slowly or finds no room beside the others, nothing is kept.
 */
export function readBody(
  request: IncomingMessage,
  parsed: unknown,
  maxBytes: number,
  budget: Budget,
  done: (body: Body) => void,
): void {
  if (parsed !== unread) return done(taken(parsed, maxBytes));
  // Somebody read it before and left nothing.
  if (request.readableEnded) return done(empty);
  const pieces = new Pieces();
  const onData = (chunk: Uint8Array): void => {
    if (pieces.length + chunk.length > maxBytes) return refuse(tooLarge);
    if (!budget.take(chunk.length)) return refuse(noRoom);
    pieces.add(chunk);
  };
  const release = (): void => {
    budget.give(pieces.length);
    pieces.drop();
  };
  const refuse = (why: Body): void => {
    request.off('data', onData);
    request.off('end', onEnd);
    clearTimeout(alarm);
    release();
    done(why);
  };
  // A server of the reader's own may wait for minutes.
  const alarm = setTimeout(refuse, bodyMs, late);
  const onEnd = (): void => {
    clearTimeout(alarm);
    const whole = pieces.whole();
    release();
    done(utf8(whole));
  };
  request.on('data', onData);
  request.on('end', onEnd);
  // Told of one that was cut as well.
  request.once('close', () => {
    clearTimeout(alarm);
    release();
  });
}

const empty: Body = { is: 'text', text: '' };
const tooLarge: Body = { is: 'too-large' };
const late: Body = { is: 'late' };
const noRoom: Body = { is: 'no-room' };
const notUtf8: Body = { is: 'not-utf8' };

/** A parsed value is written out again: the bounds on depth, size and members hold for it as for text. */
function taken(parsed: unknown, maxBytes: number): Body {
  if (parsed instanceof Uint8Array) return parsed.length > maxBytes ? tooLarge : utf8(parsed);
  let text: string | undefined;
  try {
    text = typeof parsed === 'string' ? parsed : JSON.stringify(parsed);
  } catch {
    // Too deep to be written, or never JSON.
  }
  if (text === undefined) return empty;
  return Buffer.byteLength(text) > maxBytes ? tooLarge : { is: 'text', text };
}

function utf8(bytes: Uint8Array): Body {
  if (!isUtf8(bytes)) return notUtf8;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return { is: 'text', text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text };
}
