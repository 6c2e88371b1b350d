import { OVERLOADED, type JsonRpcErrorResponse, type RequestId } from '@rxmcp/jsonrpc';
import { shown } from '../base/printable.js';
import { noMemory, overload } from '../http/responses.js';
import type { MemoryBudget } from '../memory/memory-budget.js';

/** The number of requests of one connection that a server of an SDK handles at a time. */
const maxServedRequests = 256;

interface Charge {
  readonly holder: string;
  readonly bytes: number;
}

/**
 * The requests that a server of an SDK handles, which has no limits of its own: each is charged until its response. One that is
 * cancelled gets no response, so that it is charged until the cancellation.
 */
export class ServedRequests {
  readonly #charges = new Map<RequestId, Charge>();

  constructor(private readonly memory: MemoryBudget) {}

  /** Charges a request. Returns the response that rejects it, or undefined where it may be handled. */
  take(id: RequestId, method: string, holder: string, bytes: number): JsonRpcErrorResponse | undefined {
    if (this.#charges.has(id))
      return overloaded(id, method, 'another request with its id has no response yet');
    if (this.#charges.size >= maxServedRequests) return overloaded(id, method, 'too many requests');
    if (bytes > 0 && !this.memory.tryCharge(holder, bytes)) return overloaded(id, method, noMemory);
    this.#charges.set(id, { holder, bytes });
    return undefined;
  }

  /** A request has a response, or was cancelled. */
  release(id: RequestId): void {
    const charge = this.#charges.get(id);
    if (charge === undefined) return;
    this.#charges.delete(id);
    this.memory.release(charge.holder, charge.bytes);
  }

  /** The connection has ended. */
  end(): void {
    for (const id of this.#charges.keys()) this.release(id);
  }
}

function overloaded(id: RequestId, method: string, reason: string): JsonRpcErrorResponse {
  const message = `${shown(method)} rejected: ${reason}`;
  return { jsonrpc: '2.0', id, error: { code: OVERLOADED, message, data: overload(1) } };
}
