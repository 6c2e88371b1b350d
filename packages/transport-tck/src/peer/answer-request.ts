import type { RequestId, JsonObject } from '@rxmcp/jsonrpc';
import type { ReceiveInfo } from '@rxmcp/transport';
import type { EchoPeer } from './exchange.js';
import { withoutMeta, createPeerExchange } from './exchange.js';
import { methods } from './methods.js';

/** Answers a request of the kit; anything else is ignored. */
export function answerRequest(speaker: EchoPeer, incoming: unknown, arrival: ReceiveInfo = {}): void {
  if (typeof incoming !== 'object' || incoming === null || Array.isArray(incoming)) return;
  const { id, method, params } = incoming as JsonObject;
  if (!isId(id) || typeof method !== 'string') return;
  const run = methods.get(method);
  if (run === undefined) return;
  const exchange = createPeerExchange(speaker, id, withoutMeta((params ?? {}) as JsonObject), arrival);
  // The laws close connections in the middle of exchanges; the asking side looks at what became of them.
  run(exchange).catch(() => undefined);
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}
