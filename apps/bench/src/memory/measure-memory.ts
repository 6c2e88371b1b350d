import type { Contestant, Row, CallSetting } from '../settings.js';
import type { Plan } from '../plan.js';
import { measuredRows } from '../children/measured-child.js';

/** The task of a child that measures in memory. */
export interface MemoryTask {
  readonly setting: CallSetting;
  readonly contestant: Contestant;
  readonly round: number;
  readonly plan: Plan;
}

/** Runs one contestant in memory in a process of its own, so that none warms the code of another. */
export async function measureMemory(task: MemoryTask): Promise<Row[]> {
  const rows = await measuredRows('memory-run', task);
  // NaN does not survive the channel.
  return rows.map((row) => ({
    ...row,
    p50Micros: row.p50Micros ?? Number.NaN,
    p99Micros: row.p99Micros ?? Number.NaN,
  }));
}
