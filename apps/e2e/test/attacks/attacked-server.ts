import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { CallerReport } from './fixtures/caller.js';
import type { ProcessReport } from './fixtures/watch-process.js';

/** What the server says of itself. */
export interface ServerReport extends ProcessReport {
  readonly heldBytes: number;
  /** What it may hold. */
  readonly maxBytes: number;
  /** How many holders hold something, of at most five that are named. */
  readonly holders: number;
}

interface Ports {
  readonly port: number;
  readonly socketPort: number;
}

/** Starts a program, and resolves with it and its first message. */
async function start<T>(
  flags: readonly string[],
  name: string,
  ...args: readonly string[]
): Promise<[ChildProcess, T]> {
  const program = join(inject('programs of e2e'), 'test/attacks/fixtures', name);
  const child = spawn(process.execPath, [...flags, program, ...args], {
    // Else the C library keeps more of what was freed, see the limits page.
    env: { ...process.env, MALLOC_TRIM_THRESHOLD_: '131072' },
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

/** What is attacked: the server itself, a gateway to one, or one that asks for access tokens. */
export type Attacked = 'server' | 'gateway' | 'protected';

/** A server in a process with a heap of 256 MB, and another caller of it in a process of its own. */
export class AttackedServer {
  private reports = 0;
  private readonly ended: Promise<never>;

  private constructor(
    private readonly child: ChildProcess,
    /** The caller, and the server behind a gateway. */
    private readonly others: readonly [caller: ChildProcess, inner?: ChildProcess],
    readonly port: number,
    /** The port of its socket. */
    readonly socketPort: number,
  ) {
    this.ended = once(child, 'exit').then(() => Promise.reject(new Error(`it ended with ${this.end ?? ''}`)));
    this.ended.catch(() => undefined);
  }

  static async start(attacked: Attacked = 'server'): Promise<AttackedServer> {
    const flags = ['--max-old-space-size=256', '--expose-gc'];
    const inner = attacked === 'gateway' ? await start<Ports>([], 'server.mjs') : undefined;
    const ports = inner === undefined ? [] : [String(inner[1].port)];
    const [child, { port, socketPort }] = await start<Ports>(flags, `${attacked}.mjs`, ...ports);
    const [caller] = await start([], 'caller.mjs', String(port));
    const others = inner === undefined ? ([caller] as const) : ([caller, inner[0]] as const);
    return new AttackedServer(child, others, port, socketPort);
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
      const message = once(this.child, 'message') as Promise<[ServerReport & { id: number }]>;
      const [report] = await Promise.race([message, this.ended]);
      if (report.id === id) return report;
    }
  }

  /** Calls a tool as another caller all the time while `work` is done, and 50 times after it. */
  async calledDuring<T>(work: () => Promise<T> | T): Promise<[T, CallerReport]> {
    const [caller] = this.others;
    caller.send('begin');
    const reported = once(caller, 'message') as Promise<[CallerReport]>;
    try {
      return [await work(), await this.endCalls(reported)];
    } catch (error) {
      await this.endCalls(reported);
      throw error;
    }
  }

  private async endCalls(reported: Promise<[CallerReport]>): Promise<CallerReport> {
    this.others[0].send('end');
    const [report] = await reported;
    return report;
  }

  async kill(): Promise<void> {
    for (const child of [...this.others, this.child]) if (child !== undefined) await kill(child);
  }
}
