import type { Readable, Writable } from 'node:stream';
import { CallClient } from '../client/call-client.js';
import { HttpWire } from '../client/http-wire.js';
import { LineWire } from '../client/line-wire.js';
import { SseWire } from '../client/sse-wire.js';
import { WebSocketWire } from '../client/web-socket-wire.js';
import type { Wire } from '../client/wire.js';
import { type Contestant, type Row, type CallSetting, phasesOf, rowOf } from '../settings.js';
import type { Plan } from '../plan.js';
import { MeasuredChild } from './measured-child.js';

/** Runs one contestant as a child process through all phases; the counted time is that of the child. */
export async function measureServer(
  setting: CallSetting,
  contestant: Contestant,
  round: number,
  plan: Plan,
): Promise<Row[]> {
  const child = childOf(contestant, setting);
  try {
    return await Promise.race([phases(child, setting, contestant, round, plan), child.failed()]);
  } finally {
    await child.stop();
  }
}

// With one tool this project runs the server that its README readers would write.
function childOf(contestant: Contestant, { transport, tools, era }: CallSetting): MeasuredChild {
  const pipes = transport === 'stdio' ? 'pipe' : 'ignore';
  if (contestant === 'rxmcp' && tools === 1 && transport !== 'fetch')
    return new MeasuredChild('echo-server', [transport], pipes);
  if (transport === 'stdio') return new MeasuredChild('stdio-server', [contestant, String(tools)], pipes);
  return new MeasuredChild('net-server', [contestant, transport, String(tools), era], pipes);
}

async function wireTo(child: MeasuredChild, setting: CallSetting): Promise<Wire> {
  const { transport, era, inFlight } = setting;
  switch (transport) {
    case 'http':
    case 'fetch':
      return HttpWire.open(await child.listening(), era, inFlight);
    case 'ws':
      return WebSocketWire.open(await child.listening());
    case 'sse':
      return SseWire.open(await child.listening(), inFlight);
    default:
      return new LineWire(child.process.stdout as Readable, child.process.stdin as Writable);
  }
}

async function phases(
  child: MeasuredChild,
  setting: CallSetting,
  contestant: Contestant,
  round: number,
  plan: Plan,
): Promise<Row[]> {
  const { tools, inFlight } = setting;
  const wire = await wireTo(child, setting);
  const client = new CallClient(setting.era, wire);
  const listed = await client.open();
  if (listed !== tools) throw new Error(`${contestant} lists ${listed} tools, not ${tools}`);
  const rows: Row[] = [];
  let done = 0;
  for (const { name, heat, after, calls } of phasesOf(plan, setting, contestant)) {
    if (done < after) await client.run(after - done, inFlight);
    const before = await child.cpuMicros();
    const { wallMs, latencies } = await client.run(calls, inFlight);
    const cpuMicros = (await child.cpuMicros()) - before;
    done = after + calls;
    const row = { ...setting, phase: name, heat, contestant, round };
    rows.push(rowOf(row, { calls, cpuMicros, wallMs }, latencies));
  }
  wire.close();
  return rows;
}
