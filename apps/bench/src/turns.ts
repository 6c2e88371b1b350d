import type { Tools } from 'rxmcp/tools';
import { expectedText } from './requests.js';
import { type Contestant, type Row, rowOf } from './settings.js';

/** What takes turns in one process. */
export interface Turns {
  readonly transport: Row['transport'];
  readonly phase: string;
  readonly heat: NonNullable<Row['heat']>;
  readonly inFlight: number;
  readonly plan: { readonly calls: number; readonly rounds: number };
  /** The processor time that is measured, in microseconds. @default that of this process */
  readonly cpuMicros?: () => Promise<number> | number;
  /** Each makes so many calls, one after the other. */
  readonly ways: readonly (readonly [Contestant, (count: number) => Promise<void>])[];
}

/** Measures ways that take turns; a row for each turn. */
export async function takeTurns({
  ways,
  plan,
  inFlight,
  cpuMicros = ownCpuMicros,
  ...setting
}: Turns): Promise<Row[]> {
  const perLane = Math.ceil(plan.calls / inFlight);
  const calls = perLane * inFlight;
  const rows: Row[] = [];
  // The first turns warm the code of all.
  for (let round = -2; round <= plan.rounds; round += 1) {
    for (const [contestant, way] of round % 2 === 0 ? ways : [...ways].reverse()) {
      const before = await cpuMicros();
      const start = performance.now();
      await Promise.all(Array.from({ length: inFlight }, () => way(perLane)));
      const wallMs = performance.now() - start;
      const spent = (await cpuMicros()) - before;
      if (round <= 0) continue;
      const row = { ...setting, era: 'modern', tools: 1, inFlight, contestant, round } as const;
      rows.push(rowOf(row, { calls, cpuMicros: spent, wallMs }, (wallMs * 1_000 * inFlight) / calls, 0));
    }
  }
  return rows;
}

function ownCpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Makes calls of the tool `echo`, each awaited and checked. */
export async function awaitedCalls(echo: Pick<Tools, 'call'>, count: number): Promise<void> {
  for (let id = 0; id < count; id += 1) checkReply(await echo.call('echo', { text: expectedText(id) }), id);
}

/** Throws unless this is the reply to a call. */
export function checkReply({ content: [block] }: { readonly content: readonly unknown[] }, id: number): void {
  const { text } = block as { readonly text?: string };
  if (text !== expectedText(id)) throw new Error(`a wrong reply: ${text}`);
}
