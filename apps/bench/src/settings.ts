import type { Options, Part } from './options.js';
import type { Phase, Plan } from './plan.js';
import { quantile } from './report/statistics.js';
import type { BenchEra } from './requests.js';

const transports = ['stdio', 'memory', 'bridge', 'gateway', 'http', 'fetch', 'ws', 'sse'] as const;

/** A setting in which calls are measured. */
export interface CallSetting extends Setting {
  readonly transport: (typeof transports)[number];
}

/** All settings of a plan, in the order of the table. */
export function settingsOf({ scopes }: Plan, { only }: Options): CallSetting[] {
  const settings: CallSetting[] = [];
  for (const transport of transports) {
    if (only !== undefined && only !== transport) continue;
    const { eras, toolCounts, inFlight: numbers, lone = Infinity } = scopes[transport];
    for (const era of eras) {
      for (const tools of toolCounts) {
        for (const inFlight of numbers) {
          if (inFlight > 1 || tools <= lone) settings.push({ transport, era, tools, inFlight });
        }
      }
    }
  }
  return settings;
}

/** What is measured of a contestant in a setting, in this order on one connection. */
export function phasesOf(plan: Plan, setting: CallSetting, contestant: Contestant): readonly Phase[] {
  const { transport, era, tools } = setting;
  if (transport === 'stdio' || isInMemory(transport)) return plan.phases;
  // It makes all its tools anew with each call of this kind, which warms its code as quickly as it takes long.
  const isSlow = contestant === 'v2' && era === 'modern' && tools > 1;
  if (!isSlow) return plan.netPhases;
  return plan.netPhases.map((phase) => ({ ...phase, after: phase.after / 10, calls: phase.calls / 10 }));
}

/** Whether client and server share a process. */
export function isInMemory(transport: Setting['transport']): boolean {
  return transport === 'memory' || transport === 'bridge' || transport === 'gateway';
}

/** What is served over a network: `fetch` is Streamable HTTP through requests and responses of the web. */
export type NetTransport = 'http' | 'fetch' | 'ws' | 'sse';

/** What is measured: one setting, in which all contestants do the same. */
export interface Setting {
  readonly transport: Part | 'long line';
  readonly era: BenchEra;
  readonly tools: number;
  readonly inFlight: number;
}

/** One measurement of one contestant. */
export interface Row extends Setting {
  readonly phase: string;
  /** What goals the phase has; undefined where none. */
  readonly heat?: Phase['heat'];
  readonly contestant: Contestant;
  readonly round: number;
  readonly calls: number;
  /** Processor time per call, in microseconds: of the server, in memory of client and server. */
  readonly cpuMicros: number;
  readonly callsPerSecond: number;
  readonly p50Micros: number;
  readonly p99Micros: number;
  /** Heap per idle session, in bytes. */
  readonly heapBytes?: number;
}

/** Returns a row of figures for a number of calls, with the times of single calls, in microseconds, where they were taken. */
export function rowOf(
  setting: Omit<Row, 'calls' | 'cpuMicros' | 'callsPerSecond' | 'p50Micros' | 'p99Micros'>,
  {
    calls,
    cpuMicros,
    wallMs,
  }: { readonly calls: number; readonly cpuMicros: number; readonly wallMs: number },
  latencies: readonly number[] | Float64Array = [],
): Row {
  const callsPerSecond = (calls * 1_000) / wallMs;
  const [p50Micros, p99Micros] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return { ...setting, calls, cpuMicros: cpuMicros / calls, callsPerSecond, p50Micros, p99Micros };
}

/** Who is measured; `bridge`, `awaited`, `authorized`, `uncharged` and `by hand` are compared with `rxmcp` only, `gateway` with `bridge`. */
export type Contestant = keyof typeof titles;

/** In the order of the first round; every round begins one further. */
export const contestants: readonly Contestant[] = ['floor', 'v1', 'v2', 'rxmcp'];

/** Those who speak an era over a transport. */
export function speakersOf({ transport, era }: Pick<Setting, 'transport' | 'era'>): readonly Contestant[] {
  const speaks = carriers[transport] ?? contestants;
  return speaks.filter((one) => one !== 'v1' || era === 'legacy');
}

// v2 has no WebSocket and serves no HTTP+SSE, v1 only has its client of WebSocket.
const carriers: Partial<Record<Setting['transport'], readonly Contestant[]>> = {
  fetch: ['floor', 'v2', 'rxmcp'],
  ws: ['floor', 'rxmcp'],
  sse: ['floor', 'v1', 'rxmcp'],
  bridge: ['rxmcp', 'bridge'],
  gateway: ['bridge', 'gateway'],
};

/** What a contestant is, for the reader of the table. */
export const titles = {
  floor: 'bare-JavaScript floor',
  v1: 'official SDK v1, @modelcontextprotocol/sdk 1.32.2 (legacy only)',
  v2: 'official SDK v2, @modelcontextprotocol/server and client 2.4.0',
  rxmcp: 'this project',
  bridge: 'this project, with a bridge between client and server',
  gateway: 'this project, with a gateway between client and ten servers, each with a tenth of the tools',
  packages: 'this project, imported from its single packages',
  awaited: 'this project, its calls awaited instead of subscribed to',
  authorized: 'this project, with an access token',
  uncharged: 'this project, with a memory budget that counts nothing',
  'by hand': 'this project, over a transport that is written without its helpers',
  mcporter: 'mcporter, another command-line client',
} as const;
