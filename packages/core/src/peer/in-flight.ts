import type { RequestId } from '@rxmcp/jsonrpc';
import type { Lane } from '@rxmcp/transport';
import type { Exchange } from './exchange.js';
import { IdTable } from './id-table.js';

/** The requests being served, within the scope in which their ids are unique. */
export class InFlight {
  readonly #shared = new IdTable<Exchange>();
  /** A lane usually has one request; the map is for those of a batch. */
  readonly #lanes: Map<Lane, Exchange | Map<RequestId, Exchange>> = noLanes;
  #onLanes = 0;

  /** @param perLane - true if ids are unique per lane */
  constructor(private readonly perLane: boolean) {
    if (perLane) this.#lanes = new Map();
  }

  get(id: RequestId, lane: Lane | undefined): Exchange | undefined {
    if (!this.perLane || lane === undefined) return this.#shared.get(id);
    const found = this.#lanes.get(lane);
    return found instanceof Map ? found.get(id) : found?.id === id ? found : undefined;
  }

  add(exchange: Exchange): void {
    const { lane, id } = exchange;
    if (!this.perLane || lane === undefined) return this.#shared.add(exchange);
    const found = this.#lanes.get(lane);
    if (found === undefined) this.#lanes.set(lane, exchange);
    else if (found instanceof Map) found.set(id, exchange);
    else this.#lanes.set(lane, new Map([[found.id, found] as const, [id, exchange] as const]));
    this.#onLanes += 1;
  }

  /** Removes a request. Returns false if it was not in the table. */
  delete(exchange: Exchange): boolean {
    const { lane, id } = exchange;
    if (!this.perLane || lane === undefined) return this.#shared.delete(exchange);
    if (this.get(id, lane) !== exchange) return false;
    const found = this.#lanes.get(lane);
    if (!(found instanceof Map)) this.#lanes.delete(lane);
    else if (found.delete(id) && found.size === 0) this.#lanes.delete(lane);
    this.#onLanes -= 1;
    return true;
  }

  /** Returns all requests of a lane. */
  ofLane(lane: Lane): Exchange[] {
    if (!this.perLane) return this.#shared.all().filter((exchange) => exchange.lane === lane);
    return listed(this.#lanes.get(lane));
  }

  all(): Exchange[] {
    const all = this.#shared.all();
    for (const found of this.#lanes.values()) all.push(...listed(found));
    return all;
  }

  get size(): number {
    return this.#shared.size + this.#onLanes;
  }
}

const noLanes = new Map<Lane, Exchange | Map<RequestId, Exchange>>();

function listed(found: Exchange | Map<RequestId, Exchange> | undefined): Exchange[] {
  if (found === undefined) return [];
  return found instanceof Map ? [...found.values()] : [found];
}
