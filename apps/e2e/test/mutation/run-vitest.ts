import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** How a run of vitest ended. */
export interface VitestRun {
  /** `timeout`: the run took longer than its limit and was killed. */
  readonly end: 'passed' | 'failed' | 'timeout';
  readonly seconds: number;
  /** Absent where nothing could be loaded, and after a timeout. */
  readonly report: VitestReport | undefined;
}

export interface VitestReport {
  readonly testResults: readonly {
    /** The path of the test file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const running = new Set<number>();

/** Runs vitest in a copy of the tree. */
export async function runVitest(
  folder: string,
  args: readonly string[],
  limitMs: number,
): Promise<VitestRun> {
  const reportFile = join(folder, 'vitest-report.json');
  rmSync(reportFile, { force: true });
  const runner = join(folder, 'node_modules/vitest/vitest.mjs');
  const reporting = ['--reporter', 'json', '--outputFile', reportFile];
  // Almost all sources are those of the run before, so the copy keeps what they were compiled to.
  const cache = ['--experimental.fsModuleCache', '--experimental.fsModuleCachePath', join(folder, 'kept')];
  const started = performance.now();
  // A process group of its own, so that a worker in an endless loop is killed as well.
  const child = spawn(process.execPath, [runner, ...args, ...reporting, ...cache], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  });
  const pid = child.pid as number;
  running.add(pid);
  const limit = setTimeout(() => killGroup(pid), limitMs);
  const status = await new Promise<number | null>((resolve) => void child.once('exit', resolve));
  clearTimeout(limit);
  killGroup(pid);
  running.delete(pid);
  const end = status === 0 ? 'passed' : status === null ? 'timeout' : 'failed';
  const seconds = (performance.now() - started) / 1000;
  return { end, seconds, report: end === 'timeout' ? undefined : reportIn(reportFile) };
}

process.once('exit', () => running.forEach(killGroup));

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: no process of the group is left.
  }
}

function reportIn(file: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  } catch {
    return undefined;
  }
}
