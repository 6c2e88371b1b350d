import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { settleWithin } from '@rxmcp/transport/internal';

/** How a process ended. */
export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

const pollIntervalMs = 20;
const killedWithinMs = 500;
const live = new Set<ProcessTree>();

/** A child process with all that it started: on POSIX its process group, which it must lead (`detached`). */
export class ProcessTree {
  /** Resolves when the leader has ended. */
  readonly exited: Promise<ProcessExit>;
  /** How the leader ended, once it has. */
  exit: ProcessExit | undefined;
  #ending: Promise<void> | undefined;

  constructor(private readonly child: ChildProcess) {
    this.exited = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => {
        this.exit = { exitCode, signal };
        resolve(this.exit);
      });
    });
    if (live.size === 0) process.on('exit', killAll);
    live.add(this);
  }

  /** Ends the tree: the leader may exit on its own for `leaderMs`, then all get SIGTERM, and SIGKILL after `sigtermTimeoutMs`, in milliseconds. */
  end(leaderMs: number, sigtermTimeoutMs: number): Promise<void> {
    this.#ending ??= this.#endNow(leaderMs, sigtermTimeoutMs);
    return this.#ending;
  }

  /** Sends a signal to every process of the tree. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    if (process.platform === 'win32') {
      if (this.exit !== undefined) return;
      const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
      killer.on('error', () => this.child.kill());
      return;
    }
    try {
      process.kill(-pid, signal);
    } catch {
      // ESRCH: the whole group has already exited.
    }
  }

  /** Kills the tree at once; resolves when the leader has exited. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    // Without a pid it never ran, and will not exit either.
    if (this.child.pid !== undefined) await settleWithin(this.exited, killedWithinMs);
    this.#forget();
  }

  async #endNow(leaderMs: number, sigtermTimeoutMs: number): Promise<void> {
    if (this.exit === undefined) await settleWithin(this.exited, leaderMs);
    if (this.#alive()) {
      this.signal('SIGTERM');
      const until = performance.now() + sigtermTimeoutMs;
      while (this.#alive() && performance.now() < until) await sleep(pollIntervalMs);
    }
    if (this.#alive()) await this.kill();
    this.#forget();
  }

  #alive(): boolean {
    if (this.exit === undefined) return true;
    const { pid } = this.child;
    if (pid === undefined || process.platform === 'win32') return false;
    try {
      process.kill(-pid, 0);
      return true;
    } catch {
      return false;
    }
  }

  #forget(): void {
    live.delete(this);
    if (live.size === 0) process.off('exit', killAll);
  }
}

function killAll(): void {
  for (const tree of live) tree.signal('SIGKILL');
}

const quietMs = 20;
const atMostMs = 1_000;

/**
 * Resolves when a pipe whose writer has ended is read to its end. A pipe that another process still holds open counts as
 * read when it has been quiet for 20 ms, or after a second; one that is paused, and waits for its turn, does not.
 */
export function waitUntilDrained(stream: Readable | null): Promise<void> {
  if (stream === null || stream.readableEnded || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let isDone = false;
    const done = (): void => {
      isDone = true;
      clearTimeout(quiet);
      clearTimeout(late);
      stream.off('data', restart);
      stream.off('close', done);
      stream.off('end', done);
      resolve();
    };
    let arrived = 0;
    // A busy process may find the timer due before it has read what waits: one round of I/O comes first.
    const settle = (): void => {
      const before = arrived;
      setImmediate(() => {
        if (isDone || arrived !== before) return;
        if (stream.isPaused()) quiet = setTimeout(settle, quietMs);
        else done();
      });
    };
    let quiet = setTimeout(settle, quietMs);
    const expired = (): void => {
      if (stream.isPaused()) late = setTimeout(expired, atMostMs);
      else done();
    };
    let late = setTimeout(expired, atMostMs);
    const restart = (): void => {
      arrived += 1;
      clearTimeout(quiet);
      quiet = setTimeout(settle, quietMs);
    };
    stream.on('data', restart);
    stream.on('close', done);
    stream.on('end', done);
  });
}
