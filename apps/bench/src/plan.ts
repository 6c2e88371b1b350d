/** A range of the calls on one connection that is measured separately. */
export interface Phase {
  readonly name: string;
  /** `cold` and `warm` have goals; the very first calls, in which everything is interpreted, are shown for themselves. */
  readonly heat: 'first' | 'cold' | 'warm';
  /** How many calls came before it on the same connection. */
  readonly after: number;
  readonly calls: number;
}

/** What is measured of one transport. */
export interface Scope {
  readonly eras: readonly ('legacy' | 'modern')[];
  readonly toolCounts: readonly number[];
  readonly inFlight: readonly number[];
  /** So many tools at most with one call in flight, where many of them take long. @default any number */
  readonly lone?: number;
}

/** What is measured, and how often. */
export interface Plan {
  readonly rounds: number;
  readonly scopes: Readonly<
    Record<'stdio' | 'memory' | 'bridge' | 'gateway' | 'http' | 'fetch' | 'ws' | 'sse', Scope>
  >;
  /** On pipes and in memory. */
  readonly phases: readonly Phase[];
  /** Over the network, where a call takes longer. */
  readonly netPhases: readonly Phase[];
  /** Calls whose latency is taken one by one, where taking it would disturb the count of the others. */
  readonly timedCalls: number;
  readonly longLineRounds: number;
  /** How many sessions are opened, and how often they are weighed. */
  readonly sessions: { readonly count: number; readonly rounds: number };
  /** How often awaited and subscribed calls take turns in one process, and how many calls a turn has. */
  readonly awaited: { readonly calls: number; readonly rounds: number };
  /** How often calls with a token and without one take turns, how many calls a turn has, and how many new tokens are verified in one. */
  readonly auth: {
    readonly calls: number;
    readonly inFlight: number;
    readonly tokens: number;
    readonly rounds: number;
  };
  /** How often charged and uncharged calls take turns, and how many calls a turn has. A call through a gateway takes a millisecond. */
  readonly charge: { readonly calls: number; readonly rounds: number };
  readonly startRounds: number;
  readonly typeRounds: number;
  /** How often the command is measured, and how many runs one measurement has. */
  readonly cli: { readonly rounds: number; readonly runs: number };
}

const both = ['legacy', 'modern'] as const;

/** The whole table: about half an hour. */
export const fullPlan: Plan = {
  rounds: 3,
  scopes: {
    stdio: { eras: both, toolCounts: [1, 1_000], inFlight: [1, 64] },
    memory: { eras: both, toolCounts: [1, 1_000], inFlight: [1, 64] },
    bridge: { eras: both, toolCounts: [1], inFlight: [1, 64] },
    gateway: { eras: both, toolCounts: [1_000], inFlight: [1, 64] },
    http: { eras: both, toolCounts: [1, 1_000], inFlight: [1, 64], lone: 1 },
    fetch: { eras: both, toolCounts: [1], inFlight: [64] },
    ws: { eras: both, toolCounts: [1, 1_000], inFlight: [1, 64] },
    sse: { eras: ['legacy'], toolCounts: [1, 1_000], inFlight: [1, 64] },
  },
  phases: [
    { name: 'the first 2,000', heat: 'first', after: 0, calls: 2_000 },
    { name: 'after 2,000', heat: 'cold', after: 2_000, calls: 10_000 },
    { name: 'after 30,000', heat: 'warm', after: 30_000, calls: 10_000 },
  ],
  netPhases: [
    { name: 'the first 2,000', heat: 'first', after: 0, calls: 2_000 },
    { name: 'after 2,000', heat: 'cold', after: 2_000, calls: 4_000 },
    { name: 'after 30,000', heat: 'warm', after: 30_000, calls: 6_000 },
  ],
  timedCalls: 4_000,
  longLineRounds: 1,
  sessions: { count: 10_000, rounds: 1 },
  awaited: { calls: 6_400, rounds: 60 },
  auth: { calls: 4_000, inFlight: 16, tokens: 1_000, rounds: 20 },
  charge: { calls: 1_280, rounds: 30 },
  startRounds: 15,
  typeRounds: 9,
  cli: { rounds: 5, runs: 10 },
};

/** The same work on fewer calls and one round: seconds, and figures to look at, not to quote. */
export const quickPlan: Plan = {
  rounds: 1,
  scopes: {
    stdio: { eras: both, toolCounts: [1], inFlight: [64] },
    memory: { eras: both, toolCounts: [1], inFlight: [64] },
    bridge: { eras: both, toolCounts: [1], inFlight: [1] },
    gateway: { eras: both, toolCounts: [1_000], inFlight: [64] },
    http: { eras: both, toolCounts: [1], inFlight: [64] },
    fetch: { eras: ['modern'], toolCounts: [1], inFlight: [64] },
    ws: { eras: ['modern'], toolCounts: [1], inFlight: [64] },
    sse: { eras: ['legacy'], toolCounts: [1], inFlight: [64] },
  },
  phases: [
    { name: 'the first 2,000', heat: 'first', after: 0, calls: 2_000 },
    { name: 'after 5,000', heat: 'warm', after: 5_000, calls: 5_000 },
  ],
  netPhases: [
    { name: 'the first 500', heat: 'first', after: 0, calls: 500 },
    { name: 'after 3,000', heat: 'warm', after: 3_000, calls: 1_500 },
  ],
  timedCalls: 1_000,
  longLineRounds: 0,
  sessions: { count: 400, rounds: 1 },
  awaited: { calls: 640, rounds: 5 },
  auth: { calls: 800, inFlight: 16, tokens: 200, rounds: 5 },
  charge: { calls: 640, rounds: 5 },
  startRounds: 1,
  typeRounds: 1,
  cli: { rounds: 1, runs: 5 },
};
