import type { Contestant, Row } from '../settings.js';
import { median, spread } from './statistics.js';

/** All rounds of one contestant in one setting and phase. */
export interface Summary {
  readonly contestant: Contestant;
  readonly rounds: number;
  readonly calls: number;
  readonly cpuMicros: number;
  /** (max - min) / median of the processor time, over the rounds. */
  readonly cpuSpread: number;
  readonly callsPerSecond: number;
  readonly p50Micros: number;
  readonly p99Micros: number;
  /** NaN where it was not weighed. */
  readonly heapBytes: number;
}

/** The contestants side by side in one setting and phase. */
export interface Group {
  readonly sample: Row;
  readonly summaries: ReadonlyMap<Contestant, Summary>;
}

/** Gathers rows that were measured in the same setting and phase; in the order in which they first occur. */
export function groupsOf(rows: readonly Row[]): Group[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.transport, row.era, row.tools, row.inFlight, row.phase]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].flatMap((group) => {
    const [sample] = group;
    if (sample === undefined) return [];
    const names = [...new Set(group.map((row) => row.contestant))];
    const summaries = names.map((name) =>
      summaryOf(
        group.filter((row) => row.contestant === name),
        name,
      ),
    );
    return [{ sample, summaries: new Map(summaries.map((summary) => [summary.contestant, summary])) }];
  });
}

function summaryOf(rows: readonly Row[], contestant: Contestant): Summary {
  const cpu = rows.map((row) => row.cpuMicros);
  return {
    contestant,
    rounds: rows.length,
    calls: median(rows.map((row) => row.calls)),
    cpuMicros: median(cpu),
    cpuSpread: spread(cpu),
    callsPerSecond: median(rows.map((row) => row.callsPerSecond)),
    p50Micros: median(rows.map((row) => row.p50Micros)),
    p99Micros: median(rows.map((row) => row.p99Micros)),
    heapBytes: median(rows.map((row) => row.heapBytes ?? Number.NaN)),
  };
}
