import type { Id } from '@rxmcp/jsonrpc';
import type { Lane } from '@rxmcp/transport';
import type { Exchange } from './exchange.js';
import { IdTable } from './id-table.js';

/** The requests being served, within the scope in which their ids are unique. */
export class InFlight {
  private readonly shared = new IdTable<Exchange>();
  private readonly lanes = new Map<Lane, Map<Id, Exchange>>();

  /** @param perLane - true where every lane has ids of its own */
  constructor(private readonly perLane: boolean) {}

  get(id: Id, lane: Lane | undefined): Exchange | undefined {
    return this.scope(lane)?.get(id);
  }

  add(exchange: Exchange): void {
    const { lane } = exchange;
    if (this.perLane && lane !== undefined && !this.lanes.has(lane)) this.lanes.set(lane, new Map());
    const scope = this.scope(lane);
    if (scope instanceof IdTable) scope.add(exchange);
    else scope?.set(exchange.id, exchange);
  }

  delete(exchange: Exchange): void {
    const scope = this.scope(exchange.lane);
    if (scope?.get(exchange.id) !== exchange) return;
    scope.delete(exchange.id);
    if (scope !== this.shared && scope.size === 0 && exchange.lane !== undefined)
      this.lanes.delete(exchange.lane);
  }

  /** All of one lane. */
  ofLane(lane: Lane): Exchange[] {
    if (this.perLane) return [...(this.lanes.get(lane)?.values() ?? [])];
    return this.shared.all().filter((exchange) => exchange.lane === lane);
  }

  all(): Exchange[] {
    const all = this.shared.all();
    for (const scope of this.lanes.values()) all.push(...scope.values());
    return all;
  }

  get size(): number {
    let size = this.shared.size;
    for (const scope of this.lanes.values()) size += scope.size;
    return size;
  }

  private scope(lane: Lane | undefined): IdTable<Exchange> | Map<Id, Exchange> | undefined {
    return this.perLane && lane !== undefined ? this.lanes.get(lane) : this.shared;
  }
}
