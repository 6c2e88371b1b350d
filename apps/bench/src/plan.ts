/** A stretch of the calls on one connection that is measured by itself. */
export interface Phase {
  readonly name: string;
  /** `cold` and `warm` have goals; the very first calls, in which everything is interpreted, are shown for themselves. */
  readonly heat: 'first' | 'cold' | 'warm';
  /** How many calls came before it on the same connection. */
  readonly after: number;
  readonly calls: number;
}

/** What is measured, and how often. */
export interface Plan {
  readonly rounds: number;
  readonly toolCounts: readonly number[];
  readonly inFlight: { readonly stdio: readonly number[]; readonly memory: readonly number[] };
  readonly phases: readonly Phase[];
  /** Calls whose latency is taken one by one, where taking it would disturb the count of the others. */
  readonly timedCalls: number;
  readonly longLineRounds: number;
}

/** The whole table: some minutes. */
export const fullPlan: Plan = {
  rounds: 3,
  toolCounts: [1, 1_000],
  inFlight: { stdio: [1, 64], memory: [1, 64] },
  phases: [
    { name: 'the first 2,000', heat: 'first', after: 0, calls: 2_000 },
    { name: 'after 2,000', heat: 'cold', after: 2_000, calls: 10_000 },
    { name: 'after 30,000', heat: 'warm', after: 30_000, calls: 10_000 },
  ],
  timedCalls: 4_000,
  longLineRounds: 1,
};

/** The same work on fewer calls and one round: seconds, and figures to look at, not to quote. */
export const quickPlan: Plan = {
  rounds: 1,
  toolCounts: [1],
  inFlight: { stdio: [64], memory: [64] },
  phases: [
    { name: 'the first 2,000', heat: 'first', after: 0, calls: 2_000 },
    { name: 'after 5,000', heat: 'warm', after: 5_000, calls: 5_000 },
  ],
  timedCalls: 1_000,
  longLineRounds: 0,
};
