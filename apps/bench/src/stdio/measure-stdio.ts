import type { Readable, Writable } from 'node:stream';
import type { Contestant } from '../contestants.js';
import type { Plan } from '../plan.js';
import { quantile } from '../report/statistics.js';
import type { Row, Setting } from '../row.js';
import { LineClient } from './line-client.js';
import { MeasuredChild } from './measured-child.js';

/** Runs one contestant as a child process through all phases; the counted time is that of the child. */
export async function measureStdio(
  setting: Setting,
  contestant: Contestant,
  round: number,
  plan: Plan,
): Promise<Row[]> {
  const child = childOf(contestant, setting.tools);
  try {
    return await Promise.race([phases(child, setting, contestant, round, plan), child.failed()]);
  } finally {
    await child.stop();
  }
}

// With one tool this project runs the server that its README readers would write.
function childOf(contestant: Contestant, tools: number): MeasuredChild {
  return contestant === 'rxmcp' && tools === 1
    ? new MeasuredChild('echo-server', ['stdio'], 'pipe')
    : new MeasuredChild('stdio-server', [contestant, String(tools)], 'pipe');
}

async function phases(
  child: MeasuredChild,
  setting: Setting,
  contestant: Contestant,
  round: number,
  plan: Plan,
): Promise<Row[]> {
  const { era, tools, inFlight } = setting;
  const client = new LineClient(era, child.process.stdout as Readable, child.process.stdin as Writable);
  const listed = await client.open();
  if (listed !== tools) throw new Error(`${contestant} lists ${listed} tools, not ${tools}`);
  const rows: Row[] = [];
  let done = 0;
  for (const { name, after, calls } of plan.phases) {
    if (done < after) await client.run(after - done, inFlight);
    const before = await child.cpuMicros();
    const { wallMs, latencies } = await client.run(calls, inFlight);
    const cpu = (await child.cpuMicros()) - before;
    done = after + calls;
    rows.push({
      ...setting,
      phase: name,
      contestant,
      round,
      calls,
      cpuMicros: cpu / calls,
      callsPerSecond: (calls * 1_000) / wallMs,
      p50Micros: quantile(latencies, 0.5),
      p99Micros: quantile(latencies, 0.99),
    });
  }
  return rows;
}
