import type { Contestant } from './contestants.js';
import type { Phase } from './plan.js';
import type { BenchEra } from './requests.js';

/** What is served over a network: `fetch` is Streamable HTTP through requests and responses of the web. */
export type NetTransport = 'http' | 'fetch' | 'ws' | 'sse';

/** What is measured: one setting, in which all contestants do the same. */
export interface Setting {
  readonly transport: 'stdio' | 'memory' | 'bridge' | NetTransport | 'long line' | 'sessions';
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
