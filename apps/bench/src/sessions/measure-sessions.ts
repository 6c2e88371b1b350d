import { MeasuredChild } from '../children/measured-child.js';
import { type Contestant, type Row, rowOf } from '../settings.js';
import { openSessions, openStreams } from './open-sessions.js';

const tools = 10;
const era = 'legacy';
// They fill the caches that are there once; they count as sessions, but not as growth.
const warmUps = 100;
// A thousand servers with their tools take more than the default heap.
const flags = ['--expose-gc', '--max-old-space-size=8192'];

/** Weighs the idle sessions of one contestant: without a socket, then each with its stream open. */
export async function measureSessions(contestant: Contestant, count: number, round: number): Promise<Row[]> {
  const child = new MeasuredChild('net-server', [contestant, 'http', String(tools), era], 'ignore', flags);
  try {
    return await Promise.race([weigh(child, contestant, count, round), child.failed()]);
  } finally {
    await child.stop();
  }
}

async function weigh(
  child: MeasuredChild,
  contestant: Contestant,
  count: number,
  round: number,
): Promise<Row[]> {
  const url = await child.listening();
  const warm = await openSessions(url, warmUps, tools);
  for (const socket of await openStreams(url, warm)) socket.destroy();
  const calls = count - warmUps;
  const setting = {
    transport: 'sessions',
    era,
    tools,
    inFlight: 64,
    heat: 'warm',
    contestant,
    round,
  } as const;
  const row = (phase: string, taken: { cpuMicros: number; wallMs: number }, bytes: number): Row =>
    rowOf({ ...setting, phase, heapBytes: bytes / calls }, { calls, ...taken });

  const before = await child.heapBytes();
  const [sessions, opening] = await timed(child, () => openSessions(url, calls, tools));
  const without = (await child.heapBytes()) - before;
  const [sockets, streaming] = await timed(child, () => openStreams(url, sessions));
  const streamed = (await child.heapBytes()) - before;
  for (const socket of sockets) socket.destroy();
  return [row('without a socket', opening, without), row('with an open stream', streaming, streamed)];
}

async function timed<T>(
  child: MeasuredChild,
  work: () => Promise<T>,
): Promise<[T, { cpuMicros: number; wallMs: number }]> {
  const before = await child.cpuMicros();
  const start = performance.now();
  const value = await work();
  const wallMs = performance.now() - start;
  return [value, { cpuMicros: (await child.cpuMicros()) - before, wallMs }];
}

// The process itself, its pipes and the connections that open the sessions.
const spare = 250;

/** How many sockets a process may hold here, in addition to those that it needs anyway. */
export function openableSockets(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? Math.max(0, limit - spare) : Number.POSITIVE_INFINITY;
}
