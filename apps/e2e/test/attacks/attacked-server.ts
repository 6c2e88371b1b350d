import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import { modernHeaders } from './attacker.js';
import type { ProcessReport } from './fixtures/watch-process.js';

const flags = ['--max-old-space-size=256', '--expose-gc'];

/** What the server says of itself. */
export interface ServerReport extends ProcessReport {
  readonly heldBytes: number;
}

/** A server in a process with a heap of 256 MB. */
export class AttackedServer {
  private reports = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(): Promise<AttackedServer> {
    const program = join(inject('programs'), 'test/attacks/fixtures/server.mjs');
    const child = spawn(process.execPath, [...flags, program], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // Faults of the attacks are printed.
    child.stderr?.resume();
    const failed = once(child, 'exit').then(() =>
      Promise.reject(new Error(`${program} ended before it listened`)),
    );
    const [{ port }] = (await Promise.race([once(child, 'message'), failed])) as [{ port: number }];
    failed.catch(() => undefined);
    return new AttackedServer(child, port);
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

  /**
   * Calls a tool as another caller, and returns the status. Each call has a connection of its own: this process
   * attacks too, and while it makes its messages a server may close a connection that is idle.
   */
  async call(): Promise<number> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'ada', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'length', arguments: { pad: 'x' }, _meta };
    const response = await fetch(`http://127.0.0.1:${String(this.port)}/mcp`, {
      method: 'POST',
      headers: { ...modernHeaders('ada', 'tools/call', 'length'), connection: 'close' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    await response.text();
    return response.status;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.end === undefined) await once(this.child, 'exit');
  }
}
