import type { Readable, Writable } from 'node:stream';
import { MeasuredChild } from '../children/measured-child.js';
import { CallClient } from '../client/call-client.js';
import { LineWire } from '../client/line-wire.js';
import { type Contestant, type Row, rowOf } from '../settings.js';

/** How the program is made: with imports of packages, or one file by esbuild. */
export type StartKind = 'imported' | 'bundled';

/** The programs that are started. */
export const starts: readonly { readonly kind: StartKind; readonly contestants: readonly Contestant[] }[] = [
  { kind: 'imported', contestants: ['floor', 'v2', 'rxmcp', 'packages'] },
  { kind: 'bundled', contestants: ['floor', 'v2', 'rxmcp', 'packages'] },
];

/** Starts a server with one tool over stdio and measures until it has answered `initialize` and `tools/list`. */
export async function measureStart(kind: StartKind, contestant: Contestant, round: number): Promise<Row> {
  const start = performance.now();
  const child = new MeasuredChild(`start/${kind}/${contestant}`, [], 'pipe');
  try {
    const { stdout, stdin } = child.process;
    const wire = new LineWire(stdout as Readable, stdin as Writable);
    const listed = await Promise.race([new CallClient('legacy', wire).open(), child.failed()]);
    const wallMs = performance.now() - start;
    if (listed !== 1) throw new Error(`${contestant} lists ${listed} tools, not 1`);
    const cpuMicros = await child.cpuMicros();
    wire.close();
    const setting = {
      transport: 'start',
      era: 'legacy',
      tools: 1,
      inFlight: 1,
      phase: kind,
      heat: 'cold',
    } as const;
    return rowOf({ ...setting, contestant, round }, { calls: 1, cpuMicros, wallMs }, [wallMs * 1_000]);
  } finally {
    await child.stop();
  }
}
