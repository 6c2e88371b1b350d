import type { TokenUsage } from './usage.js';

/** What was spent. */
export interface SamplingTally extends TokenUsage {
  /** In the unit of the price. */
  readonly cost: number;
  readonly calls: number;
}

/** What was spent in all, and for each server. */
export interface SamplingCost extends SamplingTally {
  /** By what each server is known by; the ones that were longest unheard of are left out. */
  readonly servers: ReadonlyMap<string, SamplingTally>;
}

/** Sums of what was spent. */
export class Tallies {
  private all = nothing;
  private readonly servers = new Map<string, SamplingTally>();

  constructor(private readonly maxKeys: number) {}

  add(server: string, usage: TokenUsage, cost: number): void {
    this.all = sum(this.all, usage, cost);
    const before = this.servers.get(server);
    if (before !== undefined) this.servers.delete(server);
    else if (this.servers.size >= this.maxKeys)
      this.servers.delete(this.servers.keys().next().value as string);
    this.servers.set(server, sum(before ?? nothing, usage, cost));
  }

  now(): SamplingCost {
    return { ...this.all, servers: new Map(this.servers) };
  }
}

const nothing: SamplingTally = { cost: 0, calls: 0, inputTokens: 0, outputTokens: 0 };

function sum(before: SamplingTally, usage: TokenUsage, cost: number): SamplingTally {
  return {
    cost: before.cost + cost,
    calls: before.calls + 1,
    inputTokens: before.inputTokens + usage.inputTokens,
    outputTokens: before.outputTokens + usage.outputTokens,
  };
}
