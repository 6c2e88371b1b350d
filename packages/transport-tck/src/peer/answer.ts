import type { Id, JsonObject } from '@rxmcp/jsonrpc';
import type { Arrival } from '@rxmcp/transport';
import type { Speaker } from './exchange.js';
import { bare, exchangeOf } from './exchange.js';
import { methods } from './methods.js';

/** Answers a request of the kit; anything else is ignored. */
export function answer(speaker: Speaker, incoming: unknown, arrival: Arrival = {}): void {
  if (typeof incoming !== 'object' || incoming === null || Array.isArray(incoming)) return;
  const { id, method, params } = incoming as JsonObject;
  if (!isId(id) || typeof method !== 'string') return;
  const run = methods.get(method);
  if (run === undefined) return;
  const exchange = exchangeOf(speaker, id, bare((params ?? {}) as JsonObject), arrival);
  // The laws close connections in the middle of exchanges; the asking side looks at what became of them.
  run(exchange).catch(() => undefined);
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}
