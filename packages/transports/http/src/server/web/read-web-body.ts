import type { BodyLimits, BodyProblem, BodyTaker } from '../exchange.js';
import type { WebExchange } from './web-exchange.js';

const mostPieces = 256;

/** Reads the body of a web request within bounds. */
export async function readWebBody(
  exchange: WebExchange,
  limits: BodyLimits,
  taker: BodyTaker,
): Promise<void> {
  const { maxMessageBytes, budget } = limits;
  const { request } = exchange;
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > maxMessageBytes) return taker.unreadable(exchange, 'too-large');
  // Adapters build a stream only for who asks for it, at twice the cost of a request.
  if (declared >= 0) return readDeclared(exchange, declared, limits, taker);
  let held = 0;
  let text = '';
  let pieces: string[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    reader = request.body?.getReader();
  } catch {
    return taker.unreadable(exchange, 'broken');
  }
  exchange.onOver = () => {
    budget.give(held);
    // A request that is taken back need not end its body.
    void reader?.cancel().catch(() => undefined);
    taker.abandoned(exchange);
  };
  const refuse = (problem: BodyProblem): void => {
    void reader?.cancel().catch(() => undefined);
    taker.unreadable(exchange, problem);
  };
  for (;;) {
    let chunk: Uint8Array | undefined;
    try {
      chunk = (await reader?.read())?.value;
    } catch {
      return exchange.isOver ? undefined : taker.unreadable(exchange, 'broken');
    }
    if (exchange.isOver) return;
    if (chunk !== undefined) {
      if (held + chunk.byteLength > maxMessageBytes) return refuse('too-large');
      if (!budget.take(chunk.byteLength)) return refuse('no-room');
      held += chunk.byteLength;
    }
    try {
      pieces.push(chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true }));
    } catch {
      return refuse('not-utf-8');
    }
    // A text that grows by a character at a time is an object for each.
    if (chunk === undefined || pieces.length >= mostPieces) {
      text += pieces.join('');
      pieces = [];
    }
    if (chunk === undefined) return taker.body(exchange, text);
  }
}

async function readDeclared(
  exchange: WebExchange,
  declared: number,
  { maxMessageBytes, budget }: BodyLimits,
  taker: BodyTaker,
): Promise<void> {
  if (!budget.take(declared)) return taker.unreadable(exchange, 'no-room');
  exchange.onOver = () => {
    budget.give(declared);
    taker.abandoned(exchange);
  };
  let bytes: ArrayBuffer;
  try {
    bytes = await exchange.request.arrayBuffer();
  } catch {
    return exchange.isOver ? undefined : taker.unreadable(exchange, 'broken');
  }
  if (exchange.isOver) return;
  if (bytes.byteLength > maxMessageBytes) return taker.unreadable(exchange, 'too-large');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return taker.unreadable(exchange, 'not-utf-8');
  }
  taker.body(exchange, text);
}
