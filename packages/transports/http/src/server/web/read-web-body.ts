import type { BodyLimits, BodyProblem, BodyTaker } from '../exchange.js';
import type { WebExchange } from './web-exchange.js';

/** Reads the body of a web request within bounds. */
export async function readWebBody(
  exchange: WebExchange,
  limits: BodyLimits,
  taker: BodyTaker,
): Promise<void> {
  const { maxMessageBytes, budget } = limits;
  const { request } = exchange;
  if (Number(request.headers.get('content-length') ?? 0) > maxMessageBytes) {
    return taker.unreadable(exchange, 'too-large');
  }
  let held = 0;
  let text = '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = request.body?.getReader();
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
      return taker.abandoned(exchange);
    }
    if (exchange.isOver) return;
    if (chunk !== undefined) {
      if (held + chunk.byteLength > maxMessageBytes) return refuse('too-large');
      if (!budget.take(chunk.byteLength)) return refuse('no-room');
      held += chunk.byteLength;
    }
    try {
      text += chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      return refuse('not-utf-8');
    }
    if (chunk === undefined) return taker.body(exchange, text);
  }
}
