import { once } from 'node:events';
import { type Contestant, type Row, rowOf } from '../settings.js';
import type { BenchEra } from '../requests.js';
import { MeasuredChild } from './measured-child.js';

/** Lets one contestant read one line of 8 MiB in chunks of 1 KiB, in a process of its own. */
export async function measureLongLine(contestant: Contestant, era: BenchEra, round: number): Promise<Row> {
  const child = new MeasuredChild('long-line-run', [contestant, era], 'ignore');
  try {
    const taken = await Promise.race([once(child.process, 'message'), child.failed()]);
    const { wallMs, cpuMicros } = taken[0] as { wallMs: number; cpuMicros: number };
    const phase = '8 MiB in 1 KiB chunks';
    const row = { transport: 'long line', era, tools: 1, inFlight: 1, phase, contestant, round } as const;
    return rowOf(row, { calls: 1, cpuMicros, wallMs }, [wallMs * 1_000]);
  } finally {
    await child.stop();
  }
}
