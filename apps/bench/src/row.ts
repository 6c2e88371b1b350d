import type { Contestant } from './contestants.js';
import type { BenchEra } from './requests.js';

/** What is measured: one setting, in which all contestants do the same. */
export interface Setting {
  readonly transport: 'stdio' | 'memory' | 'long line';
  readonly era: BenchEra;
  readonly tools: number;
  readonly inFlight: number;
}

/** One measurement of one contestant. */
export interface Row extends Setting {
  readonly phase: string;
  readonly contestant: Contestant;
  readonly round: number;
  readonly calls: number;
  /** Processor time per call, in microseconds: of the server over stdio, of client and server in memory. */
  readonly cpuMicros: number;
  readonly callsPerSecond: number;
  readonly p50Micros: number;
  readonly p99Micros: number;
}
