import type { RequestId, JsonObject } from '@rxmcp/jsonrpc';
import type { ReceiveInfo } from '@rxmcp/transport';
import type { EchoPeer } from './exchange.js';
import { withoutMeta, createPeerExchange } from './exchange.js';
import { methods } from './methods.js';

/** Answers a request of the kit and ignores everything else. */
export function answerRequest(peer: EchoPeer, incoming: unknown, info: ReceiveInfo = {}): void {
  if (typeof incoming !== 'object' || incoming === null || Array.isArray(incoming)) return;
  const { id, method, params } = incoming as JsonObject;
  if (!isId(id) || typeof method !== 'string') return;
  const run = methods.get(method);
  if (run === undefined) return;
  const exchange = createPeerExchange(peer, id, withoutMeta((params ?? {}) as JsonObject), info);
  // The rules close connections during exchanges; the requesting side checks how they end.
  run(exchange).catch(() => undefined);
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}
