import { Pieces } from '@rxmcp/transport/guard';
import type { BodyLimits, BodyProblem, BodyTaker, HttpExchange } from '../exchange.js';

/** An exchange whose body is still to be read. */
export interface UnreadExchange extends HttpExchange {
  readonly request: Request;
  readonly isOver: boolean;
  /** Called when the exchange is over: gives back what it held. */
  onOver: (() => void) | undefined;
}

/** Reads the body of a web request within bounds. */
export async function readWebBody(
  exchange: UnreadExchange,
  limits: BodyLimits,
  taker: BodyTaker,
): Promise<void> {
  const { maxMessageBytes, budget } = limits;
  const { request } = exchange;
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > maxMessageBytes) return taker.unreadable(exchange, 'too-large');
  // Adapters build a stream only for who asks for it, at twice the cost of a request.
  if (declared >= 0) return readDeclared(exchange, declared, limits, taker);
  const pieces = new Pieces();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    reader = request.body?.getReader();
  } catch {
    return taker.unreadable(exchange, 'broken');
  }
  exchange.onOver = () => {
    budget.give(pieces.length);
    pieces.drop();
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
    if (chunk === undefined) return decoded(pieces.whole(), exchange, taker);
    if (pieces.length + chunk.byteLength > maxMessageBytes) return refuse('too-large');
    if (!budget.take(chunk.byteLength)) return refuse('no-room');
    pieces.add(chunk);
  }
}

async function readDeclared(
  exchange: UnreadExchange,
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
  decoded(new Uint8Array(bytes), exchange, taker);
}

function decoded(bytes: Uint8Array, exchange: UnreadExchange, taker: BodyTaker): void {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return taker.unreadable(exchange, 'not-utf-8');
  }
  taker.body(exchange, text);
}
