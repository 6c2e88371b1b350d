import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Contestant, type Row, rowOf } from '../settings.js';

/** What the command is asked to do. */
export type CliTask = '--version' | 'call';

export const cliTasks: readonly CliTask[] = ['--version', 'call'];

/** The `cli.js` of an installed mcporter, which needs Node 24: undefined where it is not measured. */
const mcporter = process.env.MCPORTER;

/** What is compared: the floor is `node -e 0`, and the least script that calls the tool. */
export const cliContestants: readonly Contestant[] =
  mcporter === undefined ? ['floor', 'rxmcp'] : ['floor', 'mcporter', 'rxmcp'];

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const bin = file('../../../packages/rxmcp/dist/bin/rxmcp.js');
const server = [process.execPath, file('./echo-server.js'), 'stdio'] as const;

const words: Readonly<Record<CliTask, Partial<Record<Contestant, readonly string[]>>>> = {
  '--version': { floor: ['-e', '0'], rxmcp: [bin, '--version'], mcporter: [mcporter ?? '', '--version'] },
  call: {
    floor: [file('./least-call.js'), ...server],
    rxmcp: [bin, 'call', 'echo', '{"text":"hello"}', '--', ...server],
    mcporter: [
      ...[mcporter ?? '', 'call', 'echo', 'text=hello', '--name', 'bench', '--stdio', server[0]],
      ...server.slice(1).flatMap((word) => ['--stdio-arg', word]),
    ],
  },
};

/**
 * Runs a command several times, one after the other, and measures time and processor time, that of its server included. The kernel counts the latter in
 * ticks of 10 ms, so that one run alone says little.
 */
export async function measureCli(
  task: CliTask,
  contestant: Contestant,
  round: number,
  runs: number,
): Promise<Row> {
  const args = words[task][contestant] ?? [];
  const [before, start] = [childrenMicros(), performance.now()];
  for (let run = 0; run < runs; run += 1) await runOnce(args, task);
  const wallMs = performance.now() - start;
  const setting = {
    transport: 'cli',
    era: 'modern',
    tools: 1,
    inFlight: 1,
    phase: task,
    heat: 'cold',
  } as const;
  const cpuMicros = childrenMicros() - before;
  return rowOf({ ...setting, contestant, round }, { calls: runs, cpuMicros, wallMs }, [
    (wallMs * 1_000) / runs,
  ]);
}

async function runOnce(args: readonly string[], task: CliTask): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 || (task === 'call' && !stdout.includes('hello')))
    throw new Error(`${args.join(' ')} ended with ${code}: ${stdout}`);
}

/** Processor time of all processes that this one, or one of them, waited for: Linux only, NaN elsewhere. */
function childrenMicros(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10_000;
  } catch {
    return Number.NaN;
  }
}
