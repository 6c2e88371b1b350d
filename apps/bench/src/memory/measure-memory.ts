import { once } from 'node:events';
import type { Contestant, Row, CallSetting } from '../settings.js';
import type { Plan } from '../plan.js';
import { MeasuredChild } from '../children/measured-child.js';

/** The task of a child that measures in memory. */
export interface MemoryTask {
  readonly setting: CallSetting;
  readonly contestant: Contestant;
  readonly round: number;
  readonly plan: Plan;
}

/** Runs one contestant in memory in a process of its own, so that none warms the code of another. */
export async function measureMemory(task: MemoryTask): Promise<Row[]> {
  const child = new MeasuredChild('memory-run', [JSON.stringify(task)], 'ignore');
  try {
    const [rows] = (await Promise.race([once(child.process, 'message'), child.failed()])) as [Row[]];
    // NaN does not survive the channel.
    return rows.map((row) => ({
      ...row,
      p50Micros: row.p50Micros ?? Number.NaN,
      p99Micros: row.p99Micros ?? Number.NaN,
    }));
  } finally {
    await child.stop();
  }
}
