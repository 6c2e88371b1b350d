import type { Tools } from 'rxmcp/tools';
import { expectedText } from './requests.js';
import { type Contestant, type Row, rowOf } from './settings.js';

/** What takes turns in one process. */
export interface Turns {
  readonly transport: Row['transport'];
  readonly inFlight: number;
  readonly plan: { readonly calls: number; readonly rounds: number };
  /** The processor times that are measured, in microseconds, by the phases of their rows. */
  readonly cpuMicros: Readonly<Record<string, () => Promise<number> | number>>;
  /** Each makes so many calls, one after the other. */
  readonly ways: readonly (readonly [Contestant, (count: number) => Promise<void>])[];
}

/** Measures ways that take turns; a row for each turn and phase. */
export async function takeTurns({ transport, inFlight, plan, cpuMicros, ways }: Turns): Promise<Row[]> {
  const perLane = Math.ceil(plan.calls / inFlight);
  const calls = perLane * inFlight;
  const phases = Object.keys(cpuMicros);
  const used = (): Promise<number[]> => Promise.all(Object.values(cpuMicros).map((micros) => micros()));
  const rows: Row[] = [];
  // The first turns warm the code of all.
  for (let round = -2; round <= plan.rounds; round += 1) {
    for (const [contestant, way] of round % 2 === 0 ? ways : [...ways].reverse()) {
      const before = await used();
      const start = performance.now();
      await Promise.all(Array.from({ length: inFlight }, () => way(perLane)));
      const wallMs = performance.now() - start;
      const after = await used();
      if (round <= 0) continue;
      for (const [at, phase] of phases.entries()) {
        const spent = (after[at] ?? NaN) - (before[at] ?? NaN);
        const row = {
          transport,
          phase,
          heat: 'warm',
          era: 'modern',
          tools: 1,
          inFlight,
          contestant,
          round,
        } as const;
        rows.push(rowOf(row, { calls, cpuMicros: spent, wallMs }, [(wallMs * 1_000 * inFlight) / calls]));
      }
    }
  }
  return rows;
}

/** The processor time of this process. */
export function ownCpuMicros(): number {
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
