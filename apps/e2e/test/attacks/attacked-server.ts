import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { CallerReport } from './fixtures/caller.js';
import type { ProcessReport } from './fixtures/watch-process.js';

/** What the server says of itself. */
export interface ServerReport extends ProcessReport {
  readonly heldBytes: number;
}

/** Starts a program, and resolves with it and its first message. */
async function start<T>(
  flags: readonly string[],
  name: string,
  ...args: readonly string[]
): Promise<[ChildProcess, T]> {
  const program = join(inject('programs of e2e'), 'test/attacks/fixtures', name);
  const child = spawn(process.execPath, [...flags, program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // Faults of the attacks are printed.
  child.stderr?.resume();
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended at once`)));
  const [first] = (await Promise.race([once(child, 'message'), failed])) as [T];
  failed.catch(() => undefined);
  return [child, first];
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** A server in a process with a heap of 256 MB, and another caller of it in a process of its own. */
export class AttackedServer {
  private reports = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly caller: ChildProcess,
    readonly port: number,
  ) {}

  static async start(): Promise<AttackedServer> {
    const flags = ['--max-old-space-size=256', '--expose-gc'];
    const [child, { port }] = await start<{ port: number }>(flags, 'server.mjs');
    const [caller] = await start([], 'caller.mjs', String(port));
    return new AttackedServer(child, caller, port);
  }

  /** Why it has ended; `undefined` while it runs. */
  get end(): string | undefined {
    const { exitCode, signalCode } = this.child;
    return exitCode === null && signalCode === null ? undefined : `${String(exitCode)} ${String(signalCode)}`;
  }

  /** Asks for what it has used since the last report, after a garbage collection where `collects`. */
  async report(collects = false): Promise<ServerReport> {
    const id = (this.reports += 1);
    this.child.send({ id, collects });
    for (;;) {
      const [report] = (await once(this.child, 'message')) as [ServerReport & { id: number }];
      if (report.id === id) return report;
    }
  }

  /** Calls a tool as another caller all the time while `work` is done, and 50 times after it. */
  async calledDuring<T>(work: () => Promise<T> | T): Promise<[T, CallerReport]> {
    this.caller.send('begin');
    const reported = once(this.caller, 'message') as Promise<[CallerReport]>;
    try {
      return [await work(), await this.endCalls(reported)];
    } catch (error) {
      await this.endCalls(reported);
      throw error;
    }
  }

  private async endCalls(reported: Promise<[CallerReport]>): Promise<CallerReport> {
    this.caller.send('end');
    const [report] = await reported;
    return report;
  }

  async kill(): Promise<void> {
    await kill(this.caller);
    await kill(this.child);
  }
}
